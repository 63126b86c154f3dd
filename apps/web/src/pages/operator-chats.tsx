import type { BlockedChat } from "@koma/contract";
import { useId, useState } from "preact/hooks";
import { koma } from "../api/koma.ts";
import { notify } from "../state/announce.ts";
import { t, words } from "../state/language.ts";
import { ErrorPanel } from "../ui/error-panel.tsx";
import { Field, SubmitButton } from "../ui/field.tsx";
import { useListFocus } from "../ui/use-list-focus.ts";
import { useResponse } from "../ui/use-response.ts";
import { useWork } from "../ui/use-work.ts";

const kinds = ["user", "server"] as const;

/** The blocked chats, with a form that blocks another one. */
export function OperatorChats() {
  const { value, error, isLoading, again } = useResponse(
    (signal) => koma.listBlockedChats({}, { signal }),
    [],
  );
  const listFocus = useListFocus(value);
  return (
    <>
      <BlockForm onDone={again} />
      {error !== undefined && <ErrorPanel error={error} retry={again} />}
      {value?.items.length === 0 && <p class="empty">{t("web.operator.noBlocked")}</p>}
      <ul class="rows" aria-busy={isLoading} {...listFocus}>
        {value?.items.map((block) => (
          <BlockRow key={block.key} block={block} onDone={again} />
        ))}
      </ul>
    </>
  );
}

function BlockForm({ onDone }: { onDone: () => void }) {
  const [kind, setKind] = useState<BlockedChat["kind"]>("user");
  const [chat, setChat] = useState("");
  const [note, setNote] = useState("");
  const id = useId();
  const { isBusy, error, start } = useWork(async () => {
    await koma.blockChat({ kind, chat: chat.trim(), note: note.trim() || null });
    setChat("");
    setNote("");
    notify(t("web.operator.isBlocked"));
    onDone();
  });
  return (
    <form class="card" onSubmit={start}>
      <p>{t("web.operator.blockedHint")}</p>
      <p class="field">
        <label for={id}>{t("web.operator.chatKind")}</label>
        <select
          id={id}
          onChange={(event) => setKind(event.currentTarget.value === "server" ? "server" : "user")}
        >
          {kinds.map((one) => (
            <option key={one} value={one} selected={one === kind}>
              {t(`web.operator.chatKinds.${one}`)}
            </option>
          ))}
        </select>
      </p>
      <Field
        label={t("web.operator.chat")}
        hint={t("web.operator.chatHint")}
        autocomplete="off"
        maxLength={64}
        value={chat}
        onText={setChat}
      />
      <Field
        label={t("web.operator.note")}
        autocomplete="off"
        maxLength={200}
        isOptional
        value={note}
        onText={setNote}
      />
      {error !== undefined && <ErrorPanel error={error} />}
      <p class="actions">
        <SubmitButton isBusy={isBusy}>{t("web.operator.block")}</SubmitButton>
      </p>
    </form>
  );
}

function BlockRow({ block, onDone }: { block: BlockedChat; onDone: () => void }) {
  const { key, kind, note, createdAt } = block;
  const chat = note ?? key.slice(0, 12);
  const { error, start } = useWork(async () => {
    await koma.unblockChat({ key });
    notify(t("web.operator.isUnblocked"));
    onDone();
  });
  return (
    <li>
      <div>
        <strong>{chat}</strong>
        <small>
          {`${t(`web.operator.chatKinds.${kind}`)} · ${words().formatRelative(new Date(createdAt))}`}
        </small>
        {error !== undefined && <ErrorPanel error={error} />}
      </div>
      <button
        type="button"
        class="button small"
        aria-label={t("web.operator.unblockLabel", { chat })}
        onClick={start}
      >
        {t("web.operator.unblock")}
      </button>
    </li>
  );
}
