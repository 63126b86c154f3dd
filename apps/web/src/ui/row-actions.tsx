import type { ComponentChildren } from "preact";
import { siteText } from "../state/site-texts.ts";
import { SmallButton } from "./small-button.tsx";

export type RowAction = "edit" | "merge" | "folder" | "labels" | "remove";

/** The buttons of a row of the library's administration; `children` are buttons before them. */
export function RowActions(props: {
  title: string;
  actions: readonly RowAction[];
  onAction: (action: RowAction) => void;
  children: ComponentChildren;
}) {
  const { title, actions, onAction, children } = props;
  return (
    <div class="wrap row-actions">
      {children}
      {actions.map((action) => (
        <SmallButton
          key={action}
          label={siteText(`site.operator.${action}Label`, { title })}
          onClick={() => onAction(action)}
        >
          {siteText(`site.operator.${action}`)}
        </SmallButton>
      ))}
    </div>
  );
}
