import { koma } from "../api/koma.ts";
import { t, words } from "../state/language.ts";
import { useResponse } from "./use-response.ts";

const barWidth = 10;
const height = 60;

/** The user's searches per day as bars, with a table for screen readers; nothing without searches. */
export function UsageChart() {
  const { value } = useResponse((signal) => koma.getUserUsage({}, { signal }), []);
  const days = value?.days ?? [];
  const most = Math.max(0, ...days.map(({ searches }) => searches));
  if (most === 0) return null;
  return (
    <section class="card usage" aria-labelledby="usage">
      <h2 id="usage">{t("web.usage.title")}</h2>
      <svg viewBox={`0 0 ${days.length * barWidth} ${height}`} preserveAspectRatio="none" aria-hidden="true">
        {days.map(({ day, searches }, index) => (
          <rect
            key={day}
            x={index * barWidth + 1}
            width={barWidth - 2}
            y={height - toHeight(searches, most)}
            height={toHeight(searches, most)}
          />
        ))}
      </svg>
      <p class="amount">{t("web.usage.most", { count: most })}</p>
      <div class="unseen">
        <table>
          <thead>
            <tr>
              <th scope="col">{t("web.usage.day")}</th>
              <th scope="col">{t("web.usage.searches")}</th>
            </tr>
          </thead>
          <tbody>
            {days.map(({ day, searches }) => (
              <tr key={day}>
                <th scope="row">{day}</th>
                <td>{words().formatNumber(searches)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

/** A day without searches is a line. */
function toHeight(searches: number, most: number): number {
  return searches === 0 ? 1 : Math.max(3, (searches / most) * height);
}
