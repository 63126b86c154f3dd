import { signal } from "@preact/signals";
import { keep, recall } from "./kept.ts";

/** How the page looks: as the device wishes, or as its reader does. */
export type Theme = "auto" | "light" | "dark";

/** The reader's choice. */
export const theme = signal<Theme>("auto");

/** Takes the choice of an earlier visit. */
export function startTheme(): void {
  const kept = recall("theme");
  if (kept === "light" || kept === "dark") setTheme(kept);
}

/** Changes the look, on this device and for later visits too. */
export function setTheme(wanted: Theme): void {
  theme.value = wanted;
  keep("theme", wanted === "auto" ? undefined : wanted);
  if (wanted === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = wanted;
}
