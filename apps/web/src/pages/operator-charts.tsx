import type { DailyTotals } from "@koma/contract";
import { useId } from "preact/hooks";
import { operator } from "../api/operator.ts";
import { t, words } from "../state/language.ts";
import { siteText as text } from "../state/site-texts.ts";
import { DayBars, DayTable } from "../ui/day-bars.tsx";
import { ErrorPanel } from "../ui/error-panel.tsx";
import { useResponse } from "../ui/use-response.ts";
import { OperatorConfidence } from "./operator-confidence.tsx";

type Day = DailyTotals["days"][number];
type Series = { name: string; values: number[] };

const outcomes = ["found", "uncertain", "notInLibrary", "failed"] as const;
const callers = ["guest", "session", "key", "bot"] as const;

/** Searches per day by outcome and by kind of caller, and the episodes that were indexed, of 30 days; confirmations of 12 weeks. */
export function OperatorCharts() {
  const { value, error, again } = useResponse((signal) => operator.getDailyTotals({}, { signal }), []);
  if (error !== undefined) return <ErrorPanel error={error} retry={again} />;
  if (value === undefined) return <p class="waiting">{t("web.common.loading")}</p>;
  const { days } = value;
  const list = (name: string, read: (day: Day) => number): Series => ({ name, values: days.map(read) });
  const all = list(text("site.charts.all"), (day) => sum(Object.values(day.outcomes)));
  const most = t("web.usage.most", { most: Math.max(...all.values) });
  return (
    <div class="figure-groups">
      <Chart
        title={text("site.charts.outcomes")}
        days={days}
        all={all}
        parts={outcomes.map((key) => list(text(`site.charts.${key}`), (day) => day.outcomes[key]))}
        none={text("site.charts.noSearches")}
        notes={[most, text("site.charts.failedHint")]}
      />
      <Chart
        title={text("site.charts.callers")}
        days={days}
        all={all}
        parts={callers.map((key) => list(text(`site.charts.${key}`), (day) => day.callers[key]))}
        none={text("site.charts.noSearches")}
        notes={[most]}
      />
      <Chart
        title={text("site.charts.growth")}
        days={days}
        all={list(text("site.charts.episodes"), (day) => day.indexedEpisodes)}
        parts={[]}
        none={text("site.charts.noEpisodes")}
        notes={[text("site.charts.episodesHint")]}
      />
      <OperatorConfidence weeks={value.weeks} />
    </div>
  );
}

/** Rows of bars with one scale: all, then the parts with their shares. */
function Chart(props: {
  title: string;
  days: readonly Day[];
  all: Series;
  parts: readonly Series[];
  none: string;
  notes: readonly string[];
}) {
  const { title, all, parts } = props;
  const id = useId();
  const days = props.days.map(({ day }) => day);
  const total = sum(all.values);
  const most = Math.max(...all.values);
  const { formatNumber, formatPercent } = words();
  return (
    <section class="card charts" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {total === 0 ? (
        <p>{props.none}</p>
      ) : (
        <>
          <dl>
            {[all, ...parts].map((series) => (
              <div key={series.name}>
                <dt>{series.name}</dt>
                <dd>
                  {formatNumber(sum(series.values))}
                  {series !== all && ` · ${formatPercent(sum(series.values) / total)}`}
                </dd>
                <dd aria-hidden="true">
                  <DayBars days={days} values={series.values} most={most} />
                </dd>
              </div>
            ))}
          </dl>
          <p class="chart-days" aria-hidden="true">
            <span>{days[0]}</span>
            <span>{days.at(-1)}</span>
          </p>
          <DayTable days={days} columns={[all, ...parts]} />
          {props.notes.map((note) => (
            <p key={note} class="amount">
              {note}
            </p>
          ))}
        </>
      )}
    </section>
  );
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
