import type { UserSearch } from "@koma/contract";
import { useState } from "preact/hooks";
import { koma } from "../api/koma.ts";
import { toHref } from "../routing/router.ts";
import { notify } from "../state/announce.ts";
import { t, words } from "../state/language.ts";
import { Icon } from "../ui/icons.tsx";
import { MembersOnly } from "../ui/members-only.tsx";
import { Rows } from "../ui/rows.tsx";
import { SceneCard } from "../ui/scene-card.tsx";
import { UsageChart } from "../ui/usage-chart.tsx";
import { usePages } from "../ui/use-response.ts";

/** The user's own searches, which can be opened and deleted. */
export function HistoryPage() {
  return <MembersOnly title={t("web.history.title")}>{() => <History />}</MembersOnly>;
}

function History() {
  const [problem, setProblem] = useState<unknown>(undefined);
  const response = usePages(24, koma.listUserSearches);
  const remove = async (id: string) => {
    try {
      await koma.deleteUserSearch({ id });
      notify(t("web.history.deleted"));
      response.again();
    } catch (failure) {
      setProblem(failure);
    }
  };
  return (
    <div class="list-page">
      <p class="lead">{t("web.history.lead")}</p>
      <UsageChart />
      <Rows
        class="scenes"
        response={{ ...response, error: response.error ?? problem }}
        empty={t("web.history.empty")}
      >
        {(item) => (
          <li key={item.id}>
            <Item item={item} onDelete={() => void remove(item.id)} />
          </li>
        )}
      </Rows>
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
