import { useState } from "preact/hooks";
import { koma } from "../api/koma.ts";
import { t } from "../state/language.ts";
import { Rows } from "../ui/rows.tsx";
import { SceneCard } from "../ui/scene-card.tsx";
import { useResponse } from "../ui/use-response.ts";

const pageSize = 24;

/** The latest confirmed public searches. */
export function RecentPage() {
  const [limit, setLimit] = useState(pageSize);
  const response = useResponse((signal) => koma.getRecentSearches({ limit }, { signal }), [limit]);
  const { value } = response;
  return (
    <div class="list-page">
      <h1 tabIndex={-1}>{t("web.recent.title")}</h1>
      <p class="lead">{t("web.recent.lead")}</p>
      <Rows class="scenes" response={response} empty={t("web.recent.empty")}>
        {(item) => (
          <li key={item.id}>
            <SceneCard scene={item} path={`/search/${item.id}`}>
              <small>{t("web.recent.found", { at: new Date(item.confirmedAt) })}</small>
            </SceneCard>
          </li>
        )}
      </Rows>
      {value && value.total > value.items.length && limit < 100 && (
        <p class="wrap actions">
          <button type="button" class="button" onClick={() => setLimit(Math.min(100, limit + pageSize))}>
            {t("web.recent.more")}
          </button>
        </p>
      )}
    </div>
  );
}
