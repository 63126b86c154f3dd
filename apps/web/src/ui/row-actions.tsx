import type { ComponentChildren } from "preact";
import { siteText } from "../state/site-texts.ts";
import { SmallButton } from "./small-button.tsx";

type RowAction = "edit" | "merge" | "folder" | "labels" | "remove";

/** The buttons of a row of the library's administration; `children` are buttons before them. */
export function RowActions<Action extends RowAction>(props: {
  title: string;
  actions: readonly Action[];
  onAction: (action: Action) => void;
  children: ComponentChildren;
}) {
  const { title } = props;
  return (
    <div class="row-actions">
      {props.children}
      {props.actions.map((action) => (
        <ActionButton key={action} action={action} title={title} onClick={() => props.onAction(action)} />
      ))}
    </div>
  );
}

function ActionButton({ action, title, onClick }: { action: RowAction; title: string; onClick: () => void }) {
  return (
    <SmallButton label={siteText(`site.operator.${action}Label`, { title })} onClick={onClick}>
      {siteText(`site.operator.${action}`)}
    </SmallButton>
  );
}
