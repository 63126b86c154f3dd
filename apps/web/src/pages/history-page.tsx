import type { UserSearch } from "@koma/contract";
import { useState } from "preact/hooks";
import { koma } from "../api/koma.ts";
import { toHref } from "../routing/router.ts";
import { notify } from "../state/announce.ts";
import { t, words } from "../state/language.ts";
import { ErrorPanel } from "../ui/error-panel.tsx";
import { Icon } from "../ui/icons.tsx";
import { MembersOnly } from "../ui/members-only.tsx";
import { Pager } from "../ui/pager.tsx";
import { SceneCard } from "../ui/scene-card.tsx";
import { UsageChart } from "../ui/usage-chart.tsx";
import { useResponse } from "../ui/use-response.ts";

const pageSize = 24;

/** The user's own searches, which can be opened and deleted. */
export function HistoryPage() {
  return <MembersOnly title={t("web.history.title")}>{() => <History />}</MembersOnly>;
}

function History() {
  const [page, setPage] = useState(1);
  const [problem, setProblem] = useState<unknown>(undefined);
  const { value, error, isLoading, again } = useResponse(
    (signal) => koma.listUserSearches({ page, pageSize }, { signal }),
    [page],
  );
  const remove = async (id: string) => {
    try {
      await koma.deleteUserSearch({ id });
      notify(t("web.history.deleted"));
      again();
    } catch (failure) {
      setProblem(failure);
    }
  };
  return (
    <div class="list-page">
      <p class="lead">{t("web.history.lead")}</p>
      <UsageChart />
      {(error ?? problem) !== undefined && <ErrorPanel error={error ?? problem} retry={again} />}
      {value?.total === 0 && <p class="empty">{t("web.history.empty")}</p>}
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
  const isConfirmed = item.confirmation !== null && item.confirmation.rank > 0;
  const isUncertain = item.confirmation === null && item.outcome === "uncertain";
  const facts = (
    <div class="scene-foot">
      <small>
        {t("time.moment", { day: words().formatDay(at), clock: words().formatClock(at) })}
        {" · "}
        {t(item.isPublic && isConfirmed ? "web.history.isPublic" : "web.history.isPrivate")}
        {isConfirmed && ` · ${t("web.history.confirmed")}`}
        {isUncertain && ` · ${t("web.history.perhaps")}`}
      </small>
      <button
        type="button"
        class="button small round"
        aria-label={t("web.history.deleteLabel", { at })}
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
          <span class="no-still">{t("web.history.none")}</span>
        </span>
        <strong>{t("web.history.none")}</strong>
      </a>
      {facts}
    </article>
  );
}
