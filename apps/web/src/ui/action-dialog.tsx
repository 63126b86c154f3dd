import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import { t } from "../state/language.ts";
import { Dialog } from "./dialog.tsx";
import { ErrorPanel } from "./error-panel.tsx";
import { SubmitButton } from "./field.tsx";
import { useWork } from "./use-work.ts";

/** A dialog with a form: the button `action` runs `work` and shows its error. */
export function ActionDialog(props: {
  title: string;
  action: string;
  work: () => Promise<unknown>;
  onClose: () => void;
  /** The action cannot be undone: the focus starts at the button that cancels. */
  isRemoval?: boolean;
  children: ComponentChildren;
}) {
  const { isBusy, error, start } = useWork(props.work);
  const cancel = useRef<HTMLButtonElement>(null);
  return (
    <Dialog
      title={props.title}
      onClose={props.onClose}
      firstFocus={props.isRemoval === true ? cancel : undefined}
    >
      <form onSubmit={start}>
        {props.children}
        {error !== undefined && <ErrorPanel error={error} />}
        <p class="actions">
          <SubmitButton isBusy={isBusy}>{props.action}</SubmitButton>
          <button ref={cancel} type="button" class="button" onClick={props.onClose}>
            {t("web.common.cancel")}
          </button>
        </p>
      </form>
    </Dialog>
  );
}
