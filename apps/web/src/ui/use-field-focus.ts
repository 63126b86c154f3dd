import { useEffect, useRef } from "preact/hooks";
import { AuthProblem } from "../api/auth.ts";

/**
 * The ref of a form for a password or a code. Its first field takes the focus when it appears and after an error;
 * after a wrong code, the field of the code. `part` differs when the form appears or has another field.
 */
export function useFieldFocus(error: unknown, part: unknown = undefined) {
  const form = useRef<HTMLFormElement>(null);
  const focus = (at: 0 | -1) => {
    const fields = form.current?.querySelectorAll<HTMLInputElement>("input:not([readonly])") ?? [];
    [...fields].at(at)?.focus({ preventScroll: true });
  };
  useEffect(() => focus(0), [part]);
  useEffect(() => {
    if (error !== undefined) focus(error instanceof AuthProblem && error.code.includes("CODE") ? -1 : 0);
  }, [error]);
  return form;
}
