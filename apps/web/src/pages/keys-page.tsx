import type { ApiKey, NewApiKey } from "@koma/contract";
import { useState } from "preact/hooks";
import { koma } from "../api/koma.ts";
import { notify } from "../state/announce.ts";
import { t } from "../state/language.ts";
import { Dialog } from "../ui/dialog.tsx";
import { ErrorPanel } from "../ui/error-panel.tsx";
import { MembersOnly } from "../ui/members-only.tsx";
import { Pager } from "../ui/pager.tsx";
import { SmallButton } from "../ui/small-button.tsx";
import { useListFocus } from "../ui/use-list-focus.ts";
import { useResponse } from "../ui/use-response.ts";
import { useWork } from "../ui/use-work.ts";
import { CreatedKey, NewKey, nameScopes } from "./new-key.tsx";

const pageSize = 20;

/** The API keys of the user: create, list and revoke. */
export function KeysPage() {
  return <MembersOnly title={t("web.keys.title")}>{() => <Keys />}</MembersOnly>;
}

function Keys() {
  const [page, setPage] = useState(1);
  const [created, setCreated] = useState<NewApiKey | undefined>(undefined);
  const [selected, setSelected] = useState<ApiKey | undefined>(undefined);
  const { value, error, again } = useResponse(
    (signal) => koma.listApiKeys({ page, pageSize }, { signal }),
    [page],
  );
  const listFocus = useListFocus(value);
  return (
    <div class="list-page">
      <p class="lead">{t("web.keys.lead")}</p>
      {created && <CreatedKey created={created} />}
      <NewKey
        onCreated={(key) => {
          setCreated(key);
          setPage(1);
          again();
        }}
      />
      <h2>{t("web.keys.list")}</h2>
      {error !== undefined && <ErrorPanel error={error} retry={again} />}
      {value?.total === 0 && <p class="empty">{t("web.keys.empty")}</p>}
      <ul class="rows" {...listFocus}>
        {value?.items.map((key) => (
          <li key={key.id}>
            <div>
              <strong>{key.title}</strong> <code dir="ltr">{key.start}…</code>
              <small>
                {t("web.keys.created", { at: new Date(key.createdAt) })}
                {" · "}
                {key.lastUsedAt === null
                  ? t("web.keys.unused")
                  : t("web.keys.used", { at: new Date(key.lastUsedAt) })}
                {key.revokedAt !== null && ` · ${t("web.keys.published", { at: new Date(key.revokedAt) })}`}
                {key.expiresAt !== null &&
                  ` · ${t(hasExpired(key) ? "web.keys.expired" : "web.keys.expires", { at: new Date(key.expiresAt) })}`}
                {` · ${t(`web.keys.scopes.${nameScopes(key.scopes)}`)}`}
              </small>
            </div>
            <SmallButton
              label={t(isValid(key) ? "web.keys.revokeLabel" : "web.keys.removeLabel", {
                title: key.title,
              })}
              onClick={() => setSelected(key)}
            >
              {t(isValid(key) ? "web.keys.revoke" : "web.keys.remove")}
            </SmallButton>
          </li>
        ))}
      </ul>
      {value && <Pager page={page} pageSize={pageSize} total={value.total} onPage={setPage} />}
      {selected && (
        <Revoke
          apiKey={selected}
          onClose={() => setSelected(undefined)}
          onDone={() => {
            setSelected(undefined);
            if (created?.id === selected.id) setCreated(undefined);
            again();
          }}
        />
      )}
    </div>
  );
}

function Revoke(props: { apiKey: ApiKey; onClose: () => void; onDone: () => void }) {
  const { apiKey, onClose, onDone } = props;
  const { title } = apiKey;
  const isRevocation = isValid(apiKey);
  const { error, start } = useWork(async () => {
    await koma.deleteApiKey({ id: apiKey.id });
    notify(t("web.keys.revoked", { title }));
    onDone();
  });
  return (
    <Dialog
      title={t(isRevocation ? "web.keys.revokeTitle" : "web.keys.removeTitle", { title })}
      onClose={onClose}
    >
      {isRevocation && <p>{t("web.keys.revokeText")}</p>}
      {error !== undefined && <ErrorPanel error={error} />}
      <p class="actions">
        <button type="button" class="button main" onClick={start}>
          {t(isRevocation ? "web.keys.revoke" : "web.keys.remove")}
        </button>
        <button type="button" class="button" onClick={onClose}>
          {t("web.common.cancel")}
        </button>
      </p>
    </Dialog>
  );
}

function isValid(key: ApiKey): boolean {
  return key.revokedAt === null && !hasExpired(key);
}

function hasExpired({ expiresAt }: ApiKey): boolean {
  return expiresAt !== null && Date.parse(expiresAt) <= Date.now();
}
