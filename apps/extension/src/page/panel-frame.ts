import { browser } from "wxt/browser";
import type { FrameMessage } from "../messages.ts";
import { createStyled, type Layer, openLayer } from "./layer.ts";
import { waitForPaint } from "./select-region.ts";

/** The panel in a page. */
export type PanelFrame = { show: (jobId: string) => void; setHidden: (isHidden: boolean) => Promise<void> };

/**
 * A panel in a frame of the extension's own origin: the page cannot read it, and the page's policy and styles
 * do not apply to it.
 */
export function createPanelFrame(): PanelFrame {
  let open: { layer: Layer; frame: HTMLIFrameElement } | undefined;
  let focused: Element | null = null;

  const close = () => {
    open?.layer.remove();
    open = undefined;
    if (focused instanceof HTMLElement) focused.focus();
  };
  addEventListener("message", ({ source, data }: MessageEvent<FrameMessage>) => {
    if (open === undefined || source === null || source !== open.frame.contentWindow) return;
    if (data.koma === "height") open.layer.host.style.height = `${Number(data.height)}px`;
    if (data.koma === "close") close();
  });

  return {
    show(jobId) {
      if (open === undefined) focused = document.activeElement;
      open?.layer.remove();
      const layer = openLayer(
        "inset: 16px 16px auto auto; width: min(372px, calc(100vw - 32px)); height: 160px; " +
          "max-height: calc(100vh - 32px); border-radius: 14px; box-shadow: 0 2px 6px #0004, 0 12px 40px #0006;",
      );
      const frame = createStyled("iframe", "border: 0; width: 100%; height: 100%; color-scheme: light dark;");
      frame.title = "Koma";
      // The address of the frame has another origin than its document where the browser hides the id of the
      // extension.
      frame.allow = "clipboard-write *";
      frame.src = browser.runtime.getURL(`/panel.html#${jobId}`);
      frame.addEventListener("load", () => frame.focus(), { once: true });
      layer.root.append(frame);
      open = { layer, frame };
    },
    async setHidden(isHidden) {
      if (open === undefined) return;
      open.layer.host.style.visibility = isHidden ? "hidden" : "visible";
      if (isHidden) await waitForPaint();
    },
  };
}
