import type { DailyTotals } from "@koma/contract";
import { useId } from "preact/hooks";
import { operator } from "../api/operator.ts";
import { t, words } from "../state/language.ts";
import { siteText as text } from "../state/site-texts.ts";
import { DayBars, DayTable } from "../ui/day-bars.tsx";
import { ErrorPanel } from "../ui/error-panel.tsx";
import { useResponse } from "../ui/use-response.ts";

type Series = Parameters<typeof DayTable>[0]["columns"][number] & { figure: string; most: number };

const outcomes = ["found", "uncertain", "notInLibrary", "failed"] as const;
const callers = ["guest", "session", "key", "bot"] as const;

/** Searches per day by outcome and by kind of caller, and the episodes that were indexed, of 30 days; confirmations of 12 weeks. */
export function OperatorCharts() {
  const { value, error, again } = useResponse((signal) => operator.getDailyTotals({}, { signal }), []);
  if (error !== undefined) return <ErrorPanel error={error} retry={again} />;
  if (value === undefined) return <p class="waiting">{t("web.common.loading")}</p>;
  const { days, weeks } = value;
  const periods = days.map(({ day }) => day);
  const all = days.map((day) => sum(Object.values(day.outcomes)));
  const most = t("web.usage.most", { most: Math.max(...all) });
  const episodes = days.map((day) => day.indexedEpisodes);
  return (
    <div class="figure-groups">
      <Chart
        title={text("site.charts.outcomes")}
        periods={periods}
        series={split(
          all,
          outcomes.map((key) => [text(`site.charts.${key}`), days.map((day) => day.outcomes[key])]),
        )}
        none={text("site.charts.noSearches")}
        notes={[most, text("site.charts.failedHint")]}
      />
      <Chart
        title={text("site.charts.callers")}
        periods={periods}
        series={split(
          all,
          callers.map((key) => [text(`site.charts.${key}`), days.map((day) => day.callers[key])]),
        )}
        none={text("site.charts.noSearches")}
        notes={[most]}
      />
      <Chart
        title={text("site.charts.growth")}
        periods={periods}
        series={[count(text("site.charts.episodes"), episodes)]}
        none={text("site.charts.noEpisodes")}
        notes={[text("site.charts.episodesHint")]}
      />
      <Chart
        title={text("site.charts.confidence")}
        periods={weeks.map(({ firstDay }) => firstDay)}
        heading={text("site.charts.week")}
        series={rate(weeks)}
        none={text("site.charts.noRated")}
        notes={[text("site.charts.rightHint")]}
      />
    </div>
  );
}

function count(name: string, values: readonly number[]): Series {
  return { name, values, figure: words().formatNumber(sum(values)), most: Math.max(...values) };
}

/** All, and the parts with their shares, in one scale. */
function split(all: readonly number[], parts: readonly (readonly [string, readonly number[]])[]): Series[] {
  const whole = count(text("site.charts.all"), all);
  const { formatNumber, formatPercent } = words();
  return [
    whole,
    ...parts.map(([name, values]) => ({
      ...whole,
      name,
      values,
      figure: `${formatNumber(sum(values))} · ${formatPercent(sum(values) / sum(all))}`,
    })),
  ];
}

/** The share of right ones among the confident answers that users rated, and their number. */
function rate(weeks: DailyTotals["weeks"]): Series[] {
  const { formatPercent } = words();
  const rated = weeks.map(({ right, wrong }) => right + wrong);
  const share = {
    name: text("site.charts.right"),
    values: weeks.map(({ right, wrong }) => (right === 0 ? 0 : right / (right + wrong))),
    figure: formatPercent(sum(weeks.map(({ right }) => right)) / sum(rated)),
    most: 1,
    format: (value: number, index: number) => (rated[index] === 0 ? "–" : formatPercent(value)),
  };
  return [share, count(text("site.charts.rated"), rated)];
}

/** Rows of bars; `none` where the last row has no values. */
function Chart(props: {
  title: string;
  periods: readonly string[];
  heading?: string;
  series: readonly Series[];
  none: string;
  notes: readonly string[];
}) {
  const { title, periods, heading, series } = props;
  const id = useId();
  const isEmpty = series.every(({ values }) => sum(values) === 0);
  return (
    <section class="card charts" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {isEmpty ? (
        <p>{props.none}</p>
      ) : (
        <>
          <dl>
            {series.map(({ name, figure, values, most }) => (
              <div key={name} class="wrap">
                <dt>{name}</dt>
                <dd>{figure}</dd>
                <dd aria-hidden="true">
                  <DayBars days={periods} values={values} most={most} />
                </dd>
              </div>
            ))}
          </dl>
          <p class="chart-days" aria-hidden="true">
            <span>{periods[0]}</span>
            <span>{periods.at(-1)}</span>
          </p>
          <DayTable heading={heading} days={periods} columns={series} />
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
