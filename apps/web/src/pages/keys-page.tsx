import type { ApiKey, NewApiKey } from "@koma/contract";
import { useEffect, useRef, useState } from "preact/hooks";
import { koma } from "../api/koma.ts";
import { toAddress } from "../routing/router.ts";
import { announce, tell } from "../state/announce.ts";
import { say } from "../state/language.ts";
import { CopyField } from "../ui/copy-text.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Field, SubmitButton } from "../ui/field.tsx";
import { MembersOnly } from "../ui/members-only.tsx";
import { Pager } from "../ui/pager.tsx";
import { ProblemFace } from "../ui/problem-face.tsx";
import { useAnswer } from "../ui/use-answer.ts";
import { useWork } from "../ui/use-work.ts";

const pageSize = 20;

/** API keys: make one, see it once, end it. */
export function KeysPage() {
  return <MembersOnly title={say("web.keys.title")}>{() => <Keys />}</MembersOnly>;
}

function Keys() {
  const [page, setPage] = useState(1);
  const [made, setMade] = useState<NewApiKey | undefined>(undefined);
  const [wanted, setWanted] = useState<ApiKey | undefined>(undefined);
  const { value, error, again } = useAnswer(
    (signal) => koma.listApiKeys({ page, pageSize }, { signal }),
    [page],
  );
  return (
    <div class="list-page">
      <p class="lead">{say("web.keys.lead")}</p>
      {made && <Made made={made} />}
      <NewKey
        onMade={(key) => {
          setMade(key);
          setPage(1);
          again();
        }}
      />
      <h2>{say("web.keys.list")}</h2>
      {error !== undefined && <ProblemFace error={error} retry={again} />}
      {value?.total === 0 && <p class="empty">{say("web.keys.empty")}</p>}
      <ul class="rows">
        {value?.items.map((key) => (
          <li key={key.id}>
            <div>
              <strong>{key.title}</strong> <code>{key.start}…</code>
              <small>
                {say("web.keys.created", { at: new Date(key.createdAt) })}
                {" · "}
                {key.lastUsedAt === null
                  ? say("web.keys.unused")
                  : say("web.keys.used", { at: new Date(key.lastUsedAt) })}
                {key.expiresAt !== null && ` · ${say("web.keys.expires", { at: new Date(key.expiresAt) })}`}
              </small>
            </div>
            <button
              type="button"
              class="button small"
              aria-label={say("web.keys.revokeLabel", { title: key.title })}
              onClick={() => setWanted(key)}
            >
              {say("web.keys.revoke")}
            </button>
          </li>
        ))}
      </ul>
      {value && <Pager page={page} pageSize={pageSize} total={value.total} onPage={setPage} />}
      {wanted && (
        <Revoke
          apiKey={wanted}
          onClose={() => setWanted(undefined)}
          onDone={() => {
            setWanted(undefined);
            if (made?.id === wanted.id) setMade(undefined);
            again();
          }}
        />
      )}
    </div>
  );
}

function NewKey({ onMade }: { onMade: (key: NewApiKey) => void }) {
  const [title, setTitle] = useState("");
  const { isBusy, error, start } = useWork(async () => {
    const made = await koma.createApiKey({ title });
    setTitle("");
    announce(say("web.keys.made", { title: made.title }));
    onMade(made);
  });
  return (
    <form class="card one-line" onSubmit={start}>
      <Field
        label={say("web.keys.newTitle")}
        autocomplete="off"
        placeholder={say("web.keys.newHint")}
        maxLength={64}
        value={title}
        onText={setTitle}
      />
      <SubmitButton isBusy={isBusy}>{say("web.keys.create")}</SubmitButton>
      {error !== undefined && <ProblemFace error={error} />}
    </form>
  );
}

/** The key itself, this once, and a line that works as it stands. */
function Made({ made }: { made: NewApiKey }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), [made.id]);
  const line = `curl -H "Authorization: Bearer ${made.key}" -F image=@screenshot.jpg ${toAddress("/api/anime/search")}`;
  return (
    <section class="card made" aria-labelledby="made">
      <h2 id="made" ref={heading} tabIndex={-1}>
        {say("web.keys.createdTitle")}: {made.title}
      </h2>
      <p>{say("web.keys.createdText")}</p>
      <CopyField label={say("web.keys.key")} text={made.key} copyLabel={say("web.keys.copyKey")} />
      <CopyField label={say("web.keys.tryIt")} text={line} copyLabel={say("web.keys.copyLine")} />
    </section>
  );
}

function Revoke(props: { apiKey: ApiKey; onClose: () => void; onDone: () => void }) {
  const { apiKey, onClose, onDone } = props;
  const { title } = apiKey;
  const { error, start } = useWork(async () => {
    await koma.deleteApiKey({ id: apiKey.id });
    tell(say("web.keys.revoked", { title }));
    onDone();
  });
  return (
    <Dialog title={say("web.keys.revokeTitle", { title })} onClose={onClose}>
      <p>{say("web.keys.revokeText")}</p>
      {error !== undefined && <ProblemFace error={error} />}
      <p class="actions">
        <button type="button" class="button main" onClick={start}>
          {say("web.keys.revoke")}
        </button>
        <button type="button" class="button" onClick={onClose}>
          {say("web.common.cancel")}
        </button>
      </p>
    </Dialog>
  );
}
