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
import { SmallButton } from "../ui/small-button.tsx";
import { usePages } from "../ui/use-response.ts";
import type { ReadField } from "../ui/use-work.ts";
import { listChanges, type UserChange, UserChangeDialog } from "./operator-user-change.tsx";

type Opened = { user: OperatorUser; action: "grant" | UserChange };

/** The users, with a form that grants credits, and dialogs that change accounts other than the operator's own. */
export function OperatorUsers({ ownId }: { ownId: string }) {
  const [opened, setOpened] = useState<Opened | undefined>(undefined);
  const response = usePages(50, operator.listOperatorUsers, { query: "" });
  const close = () => setOpened(undefined);
  const onDone = () => {
    close();
    response.again();
  };
  return (
    <>
      <OneLineSearch
        label={siteText("site.operator.find")}
        onSearch={(query) => response.select({ query })}
      />
      <Rows response={response} empty={siteText("site.operator.noUsers")}>
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
            <div class="wrap row-actions">
              {[...(user.isBot ? [] : (["grant"] as const)), ...listChanges(user, ownId)].map((action) => (
                <SmallButton
                  key={action}
                  label={siteText(`site.operator.${action}Label`, { name: user.name })}
                  onClick={() => setOpened({ user, action })}
                >
                  {siteText(`site.operator.${action}`)}
                </SmallButton>
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
  // One id per dialog, so that a repeated request grants the credits once.
  const [reference] = useState(generateReference);
  const work = async (read: ReadField) => {
    const amount = Number(read("amount"));
    const { purchasedCredits } = await operator.grantCredits({
      id,
      amount,
      reason: read("reason"),
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
        name="amount"
        label={siteText("site.operator.amount")}
        type="number"
        min={1}
        max={1_000_000}
        defaultValue="50"
      />
      <Field name="reason" label={siteText("site.operator.reason")} autocomplete="off" maxLength={200} />
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
  return crypto.getRandomValues(new Uint32Array(4)).join("-");
}
