import type { ApiKey, NewApiKey } from "@koma/contract";
import { useEffect, useRef, useState } from "preact/hooks";
import { koma } from "../api/koma.ts";
import { toAddress } from "../routing/router.ts";
import { announce, notify } from "../state/announce.ts";
import { t } from "../state/language.ts";
import { CopyField } from "../ui/copy-text.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { ErrorPanel } from "../ui/error-panel.tsx";
import { Field, SubmitButton } from "../ui/field.tsx";
import { MembersOnly } from "../ui/members-only.tsx";
import { Pager } from "../ui/pager.tsx";
import { useResponse } from "../ui/use-response.ts";
import { useWork } from "../ui/use-work.ts";

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
      <ul class="rows">
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
                {key.expiresAt !== null && ` · ${t("web.keys.expires", { at: new Date(key.expiresAt) })}`}
              </small>
            </div>
            <button
              type="button"
              class="button small"
              aria-label={t(key.revokedAt === null ? "web.keys.revokeLabel" : "web.keys.removeLabel", {
                title: key.title,
              })}
              onClick={() => setSelected(key)}
            >
              {t(key.revokedAt === null ? "web.keys.revoke" : "web.keys.remove")}
            </button>
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

function NewKey({ onCreated }: { onCreated: (key: NewApiKey) => void }) {
  const [title, setTitle] = useState("");
  const { isBusy, error, start } = useWork(async () => {
    const created = await koma.createApiKey({ title });
    setTitle("");
    announce(t("web.keys.made", { title: created.title }));
    onCreated(created);
  });
  return (
    <form class="card one-line" onSubmit={start}>
      <Field
        label={t("web.keys.newTitle")}
        autocomplete="off"
        placeholder={t("web.keys.newHint")}
        maxLength={64}
        value={title}
        onText={setTitle}
      />
      <SubmitButton isBusy={isBusy}>{t("web.keys.create")}</SubmitButton>
      {error !== undefined && <ErrorPanel error={error} />}
    </form>
  );
}

/** The new key, which is shown once, and a command that uses it. */
function CreatedKey({ created }: { created: NewApiKey }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), [created.id]);
  const line = `curl -H "Authorization: Bearer ${created.key}" -F image=@screenshot.jpg ${toAddress("/api/anime/search")}`;
  return (
    <section class="card made" aria-labelledby="made">
      <h2 id="made" ref={heading} tabIndex={-1}>
        {t("web.keys.createdTitle")}: <bdi>{created.title}</bdi>
      </h2>
      <p>{t("web.keys.createdText")}</p>
      <CopyField label={t("web.keys.key")} text={created.key} copyLabel={t("web.keys.copyKey")} />
      <CopyField label={t("web.keys.tryIt")} text={line} copyLabel={t("web.keys.copyLine")} />
    </section>
  );
}

function Revoke(props: { apiKey: ApiKey; onClose: () => void; onDone: () => void }) {
  const { apiKey, onClose, onDone } = props;
  const { title, revokedAt } = apiKey;
  const isValid = revokedAt === null;
  const { error, start } = useWork(async () => {
    await koma.deleteApiKey({ id: apiKey.id });
    notify(t("web.keys.revoked", { title }));
    onDone();
  });
  return (
    <Dialog title={t(isValid ? "web.keys.revokeTitle" : "web.keys.removeTitle", { title })} onClose={onClose}>
      {isValid && <p>{t("web.keys.revokeText")}</p>}
      {error !== undefined && <ErrorPanel error={error} />}
      <p class="actions">
        <button type="button" class="button main" onClick={start}>
          {t(isValid ? "web.keys.revoke" : "web.keys.remove")}
        </button>
        <button type="button" class="button" onClick={onClose}>
          {t("web.common.cancel")}
        </button>
      </p>
    </Dialog>
  );
}
