import type { OperatorUser } from "@koma/contract";
import { useState } from "preact/hooks";
import { operator } from "../api/operator.ts";
import { notify } from "../state/announce.ts";
import { words } from "../state/language.ts";
import { siteText } from "../state/site-texts.ts";
import { ActionDialog } from "../ui/action-dialog.tsx";
import { Field } from "../ui/field.tsx";
import { OneLineSearch } from "../ui/one-line-search.tsx";
import { Rows } from "../ui/rows.tsx";
import { useResponse } from "../ui/use-response.ts";
import { listChanges, type UserChange, UserChangeDialog } from "./operator-user-change.tsx";

const pageSize = 50;

type Opened = { user: OperatorUser; action: "grant" | UserChange };

/** The users, with a form that grants credits, and dialogs that change accounts other than the operator's own. */
export function OperatorUsers({ ownId }: { ownId: string }) {
  const [page, setPage] = useState(1);
  const [query, setQuery] = useState("");
  const [opened, setOpened] = useState<Opened | undefined>(undefined);
  const response = useResponse(
    (signal) => operator.listOperatorUsers({ page, pageSize, query }, { signal }),
    [page, query],
  );
  const close = () => setOpened(undefined);
  const onDone = () => {
    close();
    response.again();
  };
  return (
    <>
      <OneLineSearch
        label={siteText("site.operator.find")}
        onSearch={(text) => {
          setPage(1);
          setQuery(text);
        }}
      />
      <Rows
        response={response}
        empty={siteText("site.operator.noUsers")}
        paging={{ page, pageSize, onPage: setPage }}
      >
        {(user) => (
          <li key={user.id}>
            <div>
              <strong>{user.name}</strong> {user.email}
              <small>
                {[
                  `${siteText("site.operator.since")} ${words().formatDate(new Date(user.createdAt))}`,
                  `${siteText("site.operator.credits")} ${words().formatNumber(user.purchasedCredits)}`,
                  ...listMarks(user),
                ].join(" · ")}
              </small>
            </div>
            <div class="row-actions">
              {[...(user.isBot ? [] : (["grant"] as const)), ...listChanges(user, ownId)].map((action) => (
                <button
                  key={action}
                  type="button"
                  class="button small"
                  aria-label={siteText(`site.operator.${action}Label`, { name: user.name })}
                  onClick={() => setOpened({ user, action })}
                >
                  {siteText(`site.operator.${action}`)}
                </button>
              ))}
            </div>
          </li>
        )}
      </Rows>
      {opened?.action === "grant" && <Grant user={opened.user} onClose={close} onDone={onDone} />}
      {opened && opened.action !== "grant" && (
        <UserChangeDialog user={opened.user} change={opened.action} onClose={close} onDone={onDone} />
      )}
    </>
  );
}

function Grant(props: { user: OperatorUser; onClose: () => void; onDone: () => void }) {
  const { user, onClose, onDone } = props;
  const { name, id } = user;
  const [amount, setAmount] = useState("50");
  const [reason, setReason] = useState("");
  // One id per dialog, so that a repeated request grants the credits once.
  const [reference] = useState(generateReference);
  const work = async () => {
    const { purchasedCredits } = await operator.grantCredits({
      id,
      amount: Number(amount),
      reason,
      reference,
    });
    notify(siteText("site.operator.granted", { name, count: purchasedCredits }));
    onDone();
  };
  return (
    <ActionDialog
      title={siteText("site.operator.grantTitle", { name })}
      action={siteText("site.operator.grant")}
      work={work}
      onClose={onClose}
    >
      <Field
        label={siteText("site.operator.amount")}
        type="number"
        min={1}
        max={1_000_000}
        value={amount}
        onText={setAmount}
      />
      <Field
        label={siteText("site.operator.reason")}
        autocomplete="off"
        maxLength={200}
        value={reason}
        onText={setReason}
      />
    </ActionDialog>
  );
}

function listMarks(user: OperatorUser): string[] {
  return [
    user.isAdmin ? siteText("site.operator.isAdmin") : "",
    user.isBot ? siteText("site.operator.isBot") : "",
    user.isDisabled ? siteText("site.operator.isDisabled") : "",
    user.isTwoFactorEnabled ? siteText("site.operator.hasSecondFactor") : "",
    user.isEmailVerified ? "" : siteText("site.operator.isUnverified"),
  ].filter((mark) => mark !== "");
}

function generateReference(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");
}
