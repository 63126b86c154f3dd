import type { ComponentChildren, RefObject } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";

/** A modal dialog. Escape and a click outside close it. */
export function Dialog(props: {
  title: string;
  onClose: () => void;
  /** The control that has the focus first; without it, the first control. */
  firstFocus?: RefObject<HTMLElement | null> | undefined;
  children: ComponentChildren;
}) {
  const dialogRef = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    const opener = document.activeElement;
    dialogRef.current?.showModal();
    props.firstFocus?.current?.focus();
    return () => {
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialogRef}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        props.onClose();
      }}
      onClick={(event) => {
        if (event.target === dialogRef.current) props.onClose();
      }}
      onKeyDown={() => undefined}
    >
      <div class="dialog-inside">
        <h2 id={titleId}>{props.title}</h2>
        {props.children}
      </div>
    </dialog>
  );
}
