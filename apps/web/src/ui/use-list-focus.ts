import { useEffect, useRef } from "preact/hooks";

/**
 * The attributes of a list of rows. When a new `value` removes the focused control, the heading of the section
 * or of the page takes the focus, which would otherwise start again at the top of the document.
 */
export function useListFocus(value: unknown) {
  const list = useRef<HTMLUListElement>(null);
  const focused = useRef<EventTarget | null>(null);
  useEffect(() => {
    const isLost = focused.current instanceof Element && !focused.current.isConnected;
    if (!isLost || document.activeElement !== document.body) return;
    focused.current = null;
    const heading = list.current?.closest("section")?.querySelector("h2");
    (heading ?? document.querySelector<HTMLElement>("main h1"))?.focus();
  }, [value]);
  return {
    ref: list,
    onFocusIn: (event: FocusEvent) => {
      focused.current = event.target;
    },
  };
}
