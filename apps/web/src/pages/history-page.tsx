import type { UserSearch } from "@koma/contract";
import { useState } from "preact/hooks";
import { koma } from "../api/koma.ts";
import { toHref } from "../routing/router.ts";
import { tell } from "../state/announce.ts";
import { say, words } from "../state/language.ts";
import { Icon } from "../ui/icons.tsx";
import { MembersOnly } from "../ui/members-only.tsx";
import { Pager } from "../ui/pager.tsx";
import { ProblemFace } from "../ui/problem-face.tsx";
import { SceneCard } from "../ui/scene-card.tsx";
import { useAnswer } from "../ui/use-answer.ts";

const pageSize = 24;

/** One's own searches, which can be opened again and deleted. */
export function HistoryPage() {
  return <MembersOnly title={say("web.history.title")}>{() => <History />}</MembersOnly>;
}

function History() {
  const [page, setPage] = useState(1);
  const [problem, setProblem] = useState<unknown>(undefined);
  const { value, error, isLoading, again } = useAnswer(
    (signal) => koma.listUserSearches({ page, pageSize }, { signal }),
    [page],
  );
  const remove = async (id: string) => {
    try {
      await koma.deleteUserSearch({ id });
      tell(say("web.history.deleted"));
      again();
    } catch (failure) {
      setProblem(failure);
    }
  };
  return (
    <div class="list-page">
      <p class="lead">{say("web.history.lead")}</p>
      {(error ?? problem) !== undefined && <ProblemFace error={error ?? problem} retry={again} />}
      {value?.total === 0 && <p class="empty">{say("web.history.empty")}</p>}
      <ul class="scenes" aria-busy={isLoading}>
        {value?.items.map((item) => (
          <li key={item.id}>
            <Item item={item} onDelete={() => void remove(item.id)} />
          </li>
        ))}
      </ul>
      {value && <Pager page={page} pageSize={pageSize} total={value.total} onPage={setPage} />}
    </div>
  );
}

function Item({ item, onDelete }: { item: UserSearch; onDelete: () => void }) {
  const at = new Date(item.createdAt);
  const facts = (
    <div class="scene-foot">
      <small>
        {say("time.moment", { day: words().formatDay(at), clock: words().formatClock(at) })}
        {" · "}
        {say(item.isPublic ? "web.history.isPublic" : "web.history.isPrivate")}
        {item.confirmation !== null && item.confirmation.rank > 0 && ` · ${say("web.history.confirmed")}`}
      </small>
      <button
        type="button"
        class="button small round"
        aria-label={say("web.history.deleteLabel", { at })}
        onClick={onDelete}
      >
        <Icon name="trash" />
      </button>
    </div>
  );
  if (item.scene !== null) {
    return (
      <SceneCard scene={item.scene} path={`/search/${item.id}`}>
        {facts}
      </SceneCard>
    );
  }
  return (
    <article class="scene">
      <a href={toHref(`/search/${item.id}`)}>
        <span class="scene-still">
          <span class="no-still">{say("web.history.none")}</span>
        </span>
        <strong>{say("web.history.none")}</strong>
      </a>
      {facts}
    </article>
  );
}
