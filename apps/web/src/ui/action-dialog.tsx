import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { t } from "../state/language.ts";
import { SubmitButton } from "./field.tsx";
import { SignProblem } from "./sign-problem.tsx";
import { useWork } from "./use-work.ts";

/** A modal dialog with a form: the button `action` runs `work` and shows its error. Escape and a click outside close it. */
export function ActionDialog(props: {
  title: string;
  action: string;
  work: Parameters<typeof useWork>[0];
  onClose: () => void;
  /** The action cannot be undone: the focus starts at the button that cancels. */
  isRemoval?: boolean;
  children: ComponentChildren;
}) {
  const { isBusy, error, start } = useWork(props.work);
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    const opener = document.activeElement;
    dialog.current?.showModal();
    // The dialog is removed, not closed, so the browser does not return the focus.
    return () => {
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        props.onClose();
      }}
      onClick={(event) => {
        if (event.target === dialog.current) props.onClose();
      }}
      onKeyDown={() => undefined}
    >
      <form class="dialog-inside" onSubmit={start}>
        <h2 id={titleId}>{props.title}</h2>
        {props.children}
        <SignProblem error={error} />
        <p class="wrap actions">
          <SubmitButton isBusy={isBusy}>{props.action}</SubmitButton>
          <button type="button" class="button" autofocus={props.isRemoval} onClick={props.onClose}>
            {t("web.common.cancel")}
          </button>
        </p>
      </form>
    </dialog>
  );
}
