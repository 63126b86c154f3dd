import { render } from "preact";
import { App } from "./app.tsx";
import { basePath, startRouting } from "./routing/router.ts";
import { forgetBatch, restoreBatch } from "./search/batch.ts";
import { startImageInput } from "./search/image-input.ts";
import { removeOld } from "./search/image-store.ts";
import { addGuestSearches } from "./search/search-tokens.ts";
import { forgetSearch } from "./search/searching.ts";
import { loadSharedFiles } from "./search/shared-files.ts";
import { loadQuota } from "./state/quota.ts";
import { startServiceWorker } from "./state/service-worker.ts";
import { loadSession, session } from "./state/session.ts";
import { loadSite } from "./state/site.ts";
import { startTheme } from "./state/theme.ts";

startTheme();
// The requests run in parallel: none depends on another.
void loadSite();
void loadSession();
void loadQuota();
startRouting();
void removeOld().then(restoreBatch);
void loadSharedFiles();

/** Tells the other tabs that the user of this browser has changed. */
const otherTabs = new BroadcastChannel(`koma:session ${basePath}`);
otherTabs.onmessage = () => {
  // A change in this tab, also to a guest, removes what only the user may see.
  void loadSession().then(loadQuota);
};

let userId: string | undefined;
session.subscribe((user) => {
  const lastUserId = userId;
  userId = user?.id;
  // What fails is tried again when the page is next loaded.
  if (user && lastUserId !== userId) void addGuestSearches(user).catch(() => undefined);
  if (lastUserId === undefined || lastUserId === userId) return;
  forgetSearch();
  forgetBatch();
  otherTabs.postMessage("changed");
});

/** Renders the page, when its language is loaded. */
export function showPage(): void {
  // A file that the operating system opens is searched at once, and its announcements need the texts.
  startImageInput();
  const container = document.getElementById("page");
  if (container !== null) render(<App />, container);
  startServiceWorker();
}
