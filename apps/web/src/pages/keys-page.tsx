import type { ApiKey, NewApiKey } from "@koma/contract";
import { useState } from "preact/hooks";
import { koma } from "../api/koma.ts";
import { notify } from "../state/announce.ts";
import { t } from "../state/language.ts";
import { ActionDialog } from "../ui/action-dialog.tsx";
import { MembersOnly } from "../ui/members-only.tsx";
import { Rows } from "../ui/rows.tsx";
import { SmallButton } from "../ui/small-button.tsx";
import { usePages } from "../ui/use-response.ts";
import { CreatedKey, NewKey, nameScopes } from "./new-key.tsx";

/** The API keys of the user: create, list and revoke. */
export function KeysPage() {
  return <MembersOnly title={t("web.keys.title")}>{() => <Keys />}</MembersOnly>;
}

function Keys() {
  const [created, setCreated] = useState<NewApiKey | undefined>(undefined);
  const [selected, setSelected] = useState<ApiKey | undefined>(undefined);
  const response = usePages(20, koma.listApiKeys);
  return (
    <div class="list-page">
      <p class="lead">{t("web.keys.lead")}</p>
      {created && <CreatedKey created={created} />}
      <NewKey
        onCreated={(key) => {
          setCreated(key);
          response.paging.onPage(1);
          response.again();
        }}
      />
      <h2>{t("web.keys.list")}</h2>
      <Rows response={response} empty={t("web.keys.empty")}>
        {(key) => (
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
        )}
      </Rows>
      {selected && (
        <Revoke
          apiKey={selected}
          onClose={() => setSelected(undefined)}
          onDone={() => {
            setSelected(undefined);
            if (created?.id === selected.id) setCreated(undefined);
            response.again();
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
  const work = async () => {
    await koma.deleteApiKey({ id: apiKey.id });
    notify(t("web.keys.revoked", { title }));
    onDone();
  };
  return (
    <ActionDialog
      title={t(isRevocation ? "web.keys.revokeTitle" : "web.keys.removeTitle", { title })}
      action={t(isRevocation ? "web.keys.revoke" : "web.keys.remove")}
      work={work}
      onClose={onClose}
    >
      {isRevocation && <p>{t("web.keys.revokeText")}</p>}
    </ActionDialog>
  );
}

function isValid(key: ApiKey): boolean {
  return key.revokedAt === null && !hasExpired(key);
}

function hasExpired({ expiresAt }: ApiKey): boolean {
  return expiresAt !== null && Date.parse(expiresAt) <= Date.now();
}
