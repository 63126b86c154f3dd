import type { BlockedChat } from "@koma/contract";
import { useState } from "preact/hooks";
import { operator } from "../api/operator.ts";
import { notify } from "../state/announce.ts";
import { words } from "../state/language.ts";
import { siteText } from "../state/site-texts.ts";
import { Choice } from "../ui/choice.tsx";
import { ErrorPanel } from "../ui/error-panel.tsx";
import { Field, SubmitButton } from "../ui/field.tsx";
import { Rows } from "../ui/rows.tsx";
import { SmallButton } from "../ui/small-button.tsx";
import { useResponse } from "../ui/use-response.ts";
import { useWork } from "../ui/use-work.ts";

const kinds = ["user", "server"] as const;

/** The blocked chats, with a form that blocks another one. */
export function OperatorChats() {
  const response = useResponse((signal) => operator.listBlockedChats({}, { signal }), []);
  return (
    <>
      <BlockForm onDone={response.again} />
      <Rows response={response} empty={siteText("site.operator.noBlocked")}>
        {(block) => <BlockRow key={block.key} block={block} onDone={response.again} />}
      </Rows>
    </>
  );
}

function BlockForm({ onDone }: { onDone: () => void }) {
  const [kind, setKind] = useState<BlockedChat["kind"]>("user");
  const [chat, setChat] = useState("");
  const [note, setNote] = useState("");
  const { isBusy, error, start } = useWork(async () => {
    await operator.blockChat({ kind, chat: chat.trim(), note: note.trim() || null });
    setChat("");
    setNote("");
    notify(siteText("site.operator.isBlocked"));
    onDone();
  });
  return (
    <form class="card" onSubmit={start}>
      <p>{siteText("site.operator.blockedHint")}</p>
      <Choice
        label={siteText("site.operator.chatKind")}
        value={kind}
        options={kinds.map((one) => [one, siteText(`site.operator.chatKinds.${one}`)])}
        onChange={(value) => setKind(value === "server" ? "server" : "user")}
      />
      <Field
        label={siteText("site.operator.chat")}
        hint={siteText("site.operator.chatHint")}
        autocomplete="off"
        maxLength={64}
        value={chat}
        onText={setChat}
      />
      <Field
        label={siteText("site.operator.note")}
        autocomplete="off"
        maxLength={200}
        isOptional
        value={note}
        onText={setNote}
      />
      {error !== undefined && <ErrorPanel error={error} />}
      <p class="wrap actions">
        <SubmitButton isBusy={isBusy}>{siteText("site.operator.block")}</SubmitButton>
      </p>
    </form>
  );
}

function BlockRow({ block, onDone }: { block: BlockedChat; onDone: () => void }) {
  const { key, kind, note, createdAt } = block;
  const chat = note ?? key.slice(0, 12);
  const { error, start } = useWork(async () => {
    await operator.unblockChat({ key });
    notify(siteText("site.operator.isUnblocked"));
    onDone();
  });
  return (
    <li>
      <div>
        <strong>{chat}</strong>
        <small>
          {`${siteText(`site.operator.chatKinds.${kind}`)} · ${words().formatRelative(new Date(createdAt))}`}
        </small>
        {error !== undefined && <ErrorPanel error={error} />}
      </div>
      <SmallButton label={siteText("site.operator.unblockLabel", { chat })} onClick={start}>
        {siteText("site.operator.unblock")}
      </SmallButton>
    </li>
  );
}
