import type { FrameMessage } from "../messages.ts";

/** True where the panel is a frame in a page, false where it is a tab of its own. */
export const isFrame = window.parent !== window;

/** Closes the panel. */
export function closePanel(): void {
  if (isFrame) notify({ koma: "close" });
  else window.close();
}

/** Sets the height of the frame to that of its content. The page around it receives only this height. */
export function reportHeight(content: Element): void {
  if (!isFrame) return;
  const readHeight = () => Math.ceil(content.getBoundingClientRect().height);
  // Chromium keeps the scroll bar of the smaller frame after the frame has grown to its content.
  const showScrollBar = () => {
    document.documentElement.style.overflowY = readHeight() > innerHeight ? "auto" : "hidden";
  };
  new ResizeObserver(() => {
    notify({ koma: "height", height: readHeight() });
    showScrollBar();
  }).observe(content);
  addEventListener("resize", showScrollBar);
}

function notify(message: FrameMessage): void {
  window.parent.postMessage(message, "*");
}
