import { t, words } from "../state/language.ts";

const barWidth = 10;
const height = 60;

/** One bar per day, hidden from screen readers; `most` is the value of the highest possible bar. */
export function DayBars(props: { days: readonly string[]; values: readonly number[]; most: number }) {
  const { days, values, most } = props;
  return (
    <svg
      class="day-bars"
      viewBox={`0 0 ${days.length * barWidth} ${height}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {days.map((day, index) => {
        const barHeight = toHeight(values[index] ?? 0, most);
        return (
          <rect
            key={day}
            x={index * barWidth + 1}
            width={barWidth - 2}
            y={height - barHeight}
            height={barHeight}
          />
        );
      })}
    </svg>
  );
}

/** The values of bars as a table for screen readers; `heading` names other periods than days. */
export function DayTable({
  days,
  columns,
  heading = t("web.usage.day"),
}: {
  days: readonly string[];
  columns: readonly {
    name: string;
    values: readonly number[];
    format?: (value: number, index: number) => string;
  }[];
  heading?: string | undefined;
}) {
  return (
    <div class="unseen">
      <table>
        <thead>
          <tr>
            <th scope="col">{heading}</th>
            {columns.map(({ name }) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {days.map((day, index) => (
            <tr key={day}>
              <th scope="row">{day}</th>
              {columns.map(({ name, values, format = words().formatNumber }) => (
                <td key={name}>{format(values[index] ?? 0, index)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** A day without a value is a line. */
function toHeight(value: number, most: number): number {
  return value === 0 ? 1 : Math.max(3, (value / most) * height);
}
