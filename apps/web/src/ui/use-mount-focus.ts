import { useEffect, useRef } from "preact/hooks";

/**
 * The ref of an element, with a tabIndex, that takes the focus when its component mounts: the control that
 * had the focus is gone, and the focus would otherwise start again at the top of the document.
 */
export function useMountFocus<T extends HTMLElement>() {
  const element = useRef<T>(null);
  useEffect(() => element.current?.focus(), []);
  return element;
}
