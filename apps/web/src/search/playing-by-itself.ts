import type { RefObject } from "preact";
import { useEffect, useState } from "preact/hooks";

/** Whether the reader wants no motion: a clip then plays only after a press. */
export function wantsNoMotion(): boolean {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** Whether a clip may play without a press. */
export function mayPlayByItself(): boolean {
  const wantsLessData =
    navigator.connection?.saveData === true || matchMedia("(prefers-reduced-data: reduce)").matches;
  return !wantsNoMotion() && !wantsLessData;
}

/** Whether at least half of an element is in the visible part of the page. */
export function useIsInView(element: RefObject<HTMLElement | null>): boolean {
  const [isInView, setInView] = useState(false);
  useEffect(() => {
    const observer = new IntersectionObserver(
      (entries) => setInView((entries.at(-1)?.intersectionRatio ?? 0) >= 0.5),
      { threshold: 0.5 },
    );
    if (element.current !== null) observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);
  return isInView;
}

declare global {
  interface Navigator {
    /** https://wicg.github.io/netinfo; Chromium only. */
    readonly connection?: { readonly saveData?: boolean };
  }
}
