import { ApiKeyScope, type NewApiKey } from "@koma/contract";
import { useEffect, useRef, useState } from "preact/hooks";
import { koma } from "../api/koma.ts";
import { toAddress } from "../routing/router.ts";
import { announce } from "../state/announce.ts";
import { t } from "../state/language.ts";
import { Choice } from "../ui/choice.tsx";
import { CopyField } from "../ui/copy-text.tsx";
import { ErrorPanel } from "../ui/error-panel.tsx";
import { Field, SubmitButton } from "../ui/field.tsx";
import { useWork } from "../ui/use-work.ts";

const scopeChoices = ["all", ...ApiKeyScope.options] as const;
type ScopeChoice = (typeof scopeChoices)[number];

/** The days of the choices beside "does not expire". */
const expiryDays = [7, 30, 90, 365];

/** The text of a key's scopes below `web.keys.scopes`. */
export function nameScopes(scopes: readonly ApiKeyScope[]): ScopeChoice {
  const [scope] = scopes;
  return scopes.length > 1 || scope === undefined ? "all" : scope;
}

/** The form that creates a key. */
export function NewKey({ onCreated }: { onCreated: (key: NewApiKey) => void }) {
  const [title, setTitle] = useState("");
  const [scope, setScope] = useState<ScopeChoice>("all");
  const [days, setDays] = useState<number | undefined>(undefined);
  const { isBusy, error, start } = useWork(async () => {
    const created = await koma.createApiKey({
      title,
      ...(scope !== "all" && { scopes: [scope] }),
      ...(days !== undefined && { expiresInDays: days }),
    });
    setTitle("");
    announce(t("web.keys.made", { title: created.title }));
    onCreated(created);
  });
  return (
    <form class="card" onSubmit={start}>
      <Field
        label={t("web.keys.newTitle")}
        autocomplete="off"
        placeholder={t("web.keys.newHint")}
        maxLength={64}
        value={title}
        onText={setTitle}
      />
      <div class="two">
        <Choice
          label={t("web.keys.scope")}
          value={scope}
          options={scopeChoices.map((one) => [one, t(`web.keys.scopes.${one}`)])}
          onChange={(value) => setScope(scopeChoices.find((one) => one === value) ?? "all")}
        />
        <Choice
          label={t("web.keys.expiry")}
          value={String(days ?? "")}
          options={[
            ["", t("web.keys.never")],
            ...expiryDays.map((count): [string, string] => [String(count), describeEnd(count)]),
          ]}
          onChange={(value) => setDays(value === "" ? undefined : Number(value))}
        />
      </div>
      <SubmitButton isBusy={isBusy}>{t("web.keys.create")}</SubmitButton>
      {error !== undefined && <ErrorPanel error={error} />}
    </form>
  );
}

function describeEnd(days: number): string {
  const at = new Date();
  at.setDate(at.getDate() + days);
  return t("web.keys.expires", { at });
}

/** The new key, which is shown once, and a command that uses it. */
export function CreatedKey({ created }: { created: NewApiKey }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), [created.id]);
  const request = created.scopes.includes("search")
    ? `-F image=@screenshot.jpg ${toAddress("/api/anime/search")}`
    : toAddress("/api/user/anime-credits");
  return (
    <section class="card made" aria-labelledby="made">
      <h2 id="made" ref={heading} tabIndex={-1}>
        {t("web.keys.createdTitle")}: <bdi>{created.title}</bdi>
      </h2>
      <p>{t("web.keys.createdText")}</p>
      <CopyField label={t("web.keys.key")} text={created.key} copyLabel={t("web.keys.copyKey")} />
      <CopyField
        label={t("web.keys.tryIt")}
        text={`curl -H "Authorization: Bearer ${created.key}" ${request}`}
        copyLabel={t("web.keys.copyLine")}
      />
    </section>
  );
}
