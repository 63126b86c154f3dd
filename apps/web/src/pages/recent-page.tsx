import type { RecentSearch } from "@koma/contract";
import { useState } from "preact/hooks";
import { koma } from "../api/koma.ts";
import { say } from "../state/language.ts";
import { ProblemFace } from "../ui/problem-face.tsx";
import { SceneCard } from "../ui/scene-card.tsx";
import { useAnswer } from "../ui/use-answer.ts";

const pageSize = 24;

/** What others found lately. */
export function RecentPage() {
  const [limit, setLimit] = useState(pageSize);
  const { value, error, isLoading, again } = useAnswer(
    (signal) => koma.getRecentSearches({ limit }, { signal }),
    [limit],
  );
  const items: readonly RecentSearch[] = value?.items ?? [];
  return (
    <div class="list-page">
      <h1 tabIndex={-1}>{say("web.recent.title")}</h1>
      <p class="lead">{say("web.recent.lead")}</p>
      {error !== undefined && <ProblemFace error={error} retry={again} />}
      {value?.total === 0 && <p class="empty">{say("web.recent.empty")}</p>}
      <ul class="scenes" aria-busy={isLoading}>
        {items.map((item) => (
          <li key={item.id}>
            <SceneCard scene={item} path={`/search/${item.id}`}>
              <small>{say("web.recent.found", { at: new Date(item.confirmedAt) })}</small>
            </SceneCard>
          </li>
        ))}
      </ul>
      {value && value.total > items.length && limit < 100 && (
        <p class="actions">
          <button type="button" class="button" onClick={() => setLimit(Math.min(100, limit + pageSize))}>
            {say("web.recent.more")}
          </button>
        </p>
      )}
    </div>
  );
}
