import type { OperatorUser } from "@koma/contract";
import { operator } from "../api/operator.ts";
import { notify } from "../state/announce.ts";
import { siteText } from "../state/site-texts.ts";
import { ActionDialog } from "../ui/action-dialog.tsx";

/** A change of an account by an operator. */
export type UserChange = keyof typeof changes;

const changes = {
  disable: { hint: "disableHint", done: "wasDisabled" },
  enable: { hint: undefined, done: "wasEnabled" },
  removeFactor: { hint: "removeFactorHint", done: "factorRemoved" },
  deleteUser: { hint: "deleteUserHint", done: "userDeleted" },
} as const;

const work = {
  disable: (id: string) => operator.setUserDisabled({ id, isDisabled: true }),
  enable: (id: string) => operator.setUserDisabled({ id, isDisabled: false }),
  removeFactor: (id: string) => operator.removeSecondFactor({ id }),
  deleteUser: (id: string) => operator.removeUser({ id }),
} satisfies Record<UserChange, (id: string) => Promise<unknown>>;

/** The changes that an operator can make to this account; none to the own one. */
export function listChanges(user: OperatorUser, ownId: string): UserChange[] {
  if (user.id === ownId) return [];
  return [
    user.isDisabled ? "enable" : "disable",
    ...(user.isTwoFactorEnabled ? (["removeFactor"] as const) : []),
    // The account of a bot belongs to the installation of the bot.
    ...(user.isBot ? [] : (["deleteUser"] as const)),
  ];
}

/** Asks an operator before an account is changed. */
export function UserChangeDialog(props: {
  user: OperatorUser;
  change: UserChange;
  onClose: () => void;
  onDone: () => void;
}) {
  const { change } = props;
  const { id, name, email } = props.user;
  const { hint, done } = changes[change];
  return (
    <ActionDialog
      title={siteText(`site.operator.${change}Label`, { name })}
      action={siteText(`site.operator.${change}`)}
      work={async () => {
        await work[change](id);
        notify(siteText(`site.operator.${done}`, { name }));
        props.onDone();
      }}
      onClose={props.onClose}
      isRemoval={change !== "enable"}
    >
      <p>
        <bdi>{email}</bdi>
      </p>
      {hint && <p>{siteText(`site.operator.${hint}`, { name })}</p>}
    </ActionDialog>
  );
}
