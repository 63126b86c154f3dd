import { t } from "../state/language.ts";
import { visit } from "./router.ts";

/** Sets the tab title to the heading and, after a navigation within the page, focuses the heading. */
export function arrive(): void {
  const headline = document.querySelector<HTMLElement>("main h1");
  const title = headline?.textContent ?? "";
  document.title = title === "" ? t("web.name") : `${title} · ${t("web.name")}`;
  if (visit.value === 0 || headline === null) return;
  scrollTo(0, 0);
  headline.focus({ preventScroll: true });
}
