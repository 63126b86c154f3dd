import type { UnlistedScriptDefinition } from "wxt";
import { browser } from "wxt/browser";
import { defineUnlistedScript } from "wxt/utils/define-unlisted-script";
import type { PageRequest, PageResponse } from "../messages.ts";
import { createPanelFrame, type PanelFrame } from "../page/panel-frame.ts";
import { readImage, readVideo } from "../page/read-image.ts";
import { selectRegion } from "../page/select-region.ts";

/**
 * The script in a page: it responds to the background, and is loaded only when the user starts the extension
 * there.
 */
const page: UnlistedScriptDefinition = defineUnlistedScript(() => {
  const scope = globalThis as { isKomaLoaded?: boolean };
  // The background loads it before each request.
  if (scope.isKomaLoaded) return;
  scope.isKomaLoaded = true;
  const panel = createPanelFrame();
  browser.runtime.onMessage.addListener((request: PageRequest, _sender, respond) => {
    response(request, panel).then(respond, () => respond(undefined));
    return true;
  });
});

export default page;

async function response(request: PageRequest, panel: PanelFrame): Promise<PageResponse> {
  switch (request.kind) {
    case "readImage":
      return await readImage(request.srcUrl);
    case "readVideo":
      return await readVideo(request.srcUrl);
    case "selectRegion": {
      await panel.setHidden(true);
      const area = await selectRegion(request);
      await panel.setHidden(false);
      return area && { area };
    }
    case "setPanelHidden":
      await panel.setHidden(request.isHidden);
      return undefined;
    case "showPanel":
      panel.show(request.jobId);
      return undefined;
  }
}
