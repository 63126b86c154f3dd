import { siteText } from "../state/site-texts.ts";
import { ActionDialog } from "./action-dialog.tsx";

/** Asks an operator before anime or episodes are removed from the library. */
export function RemovalDialog(props: { title: string; work: () => Promise<unknown>; onClose: () => void }) {
  return (
    <ActionDialog
      title={siteText("site.operator.removeLabel", { title: props.title })}
      action={siteText("site.operator.remove")}
      work={props.work}
      onClose={props.onClose}
      isRemoval
    >
      <p>{siteText("site.operator.removeHint")}</p>
    </ActionDialog>
  );
}
