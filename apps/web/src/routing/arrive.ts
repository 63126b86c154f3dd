import { t } from "../state/language.ts";
import { visit } from "./router.ts";

/**
 * Sets the tab title to the heading and, after a navigation within the page, focuses the heading. A layout
 * effect: the title never differs from a heading that is on the screen.
 */
export function arrive(): void {
  const headline = document.querySelector<HTMLElement>("main h1");
  const title = headline?.textContent ?? "";
  document.title = title === "" ? t("web.name") : `${title} · ${t("web.name")}`;
  if (visit.value === 0 || headline === null) return;
  scrollTo(0, 0);
  headline.focus({ preventScroll: true });
}
