import { koma } from "../api/koma.ts";
import { t } from "../state/language.ts";
import { DayBars, DayTable } from "./day-bars.tsx";
import { useResponse } from "./use-response.ts";

/** The user's searches per day as bars, with a table for screen readers; nothing without searches. */
export function UsageChart() {
  const { value } = useResponse((signal) => koma.getUserUsage({}, { signal }), []);
  const days = value?.days.map(({ day }) => day) ?? [];
  const values = value?.days.map(({ searches }) => searches) ?? [];
  const most = Math.max(0, ...values);
  if (most === 0) return null;
  return (
    <section class="card usage" aria-labelledby="usage">
      <h2 id="usage">{t("web.usage.title")}</h2>
      <DayBars days={days} values={values} most={most} />
      <p class="amount">{t("web.usage.most", { most })}</p>
      <DayTable days={days} columns={[{ name: t("web.usage.searches"), values }]} />
    </section>
  );
}
