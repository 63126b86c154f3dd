import type { DailyTotals } from "@koma/contract";
import { useId } from "preact/hooks";
import { words } from "../state/language.ts";
import { siteText as text } from "../state/site-texts.ts";
import { DayBars, DayTable } from "../ui/day-bars.tsx";

/** The share of right ones among the confident answers that users rated, per week. */
export function OperatorConfidence({ weeks }: { weeks: DailyTotals["weeks"] }) {
  const id = useId();
  const { formatNumber, formatPercent } = words();
  const days = weeks.map(({ firstDay }) => firstDay);
  const rated = weeks.map(({ right, wrong }) => right + wrong);
  const shares = weeks.map(({ right, wrong }) => (right === 0 ? 0 : right / (right + wrong)));
  const right = weeks.reduce((sum, week) => sum + week.right, 0);
  const total = rated.reduce((sum, count) => sum + count, 0);
  return (
    <section class="card charts" aria-labelledby={id}>
      <h2 id={id}>{text("site.charts.confidence")}</h2>
      {total === 0 ? (
        <p>{text("site.charts.noRated")}</p>
      ) : (
        <>
          <dl>
            <div>
              <dt>{text("site.charts.right")}</dt>
              <dd>{formatPercent(right / total)}</dd>
              <dd aria-hidden="true">
                <DayBars days={days} values={shares} most={1} />
              </dd>
            </div>
            <div>
              <dt>{text("site.charts.rated")}</dt>
              <dd>{formatNumber(total)}</dd>
              <dd aria-hidden="true">
                <DayBars days={days} values={rated} most={Math.max(...rated)} />
              </dd>
            </div>
          </dl>
          <p class="chart-days" aria-hidden="true">
            <span>{days[0]}</span>
            <span>{days.at(-1)}</span>
          </p>
          <DayTable
            heading={text("site.charts.week")}
            days={days}
            columns={[
              {
                name: text("site.charts.right"),
                values: shares,
                format: (share, index) => (rated[index] === 0 ? "–" : formatPercent(share)),
              },
              { name: text("site.charts.rated"), values: rated },
            ]}
          />
          <p class="amount">{text("site.charts.rightHint")}</p>
        </>
      )}
    </section>
  );
}
