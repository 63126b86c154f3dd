import { signal } from "@preact/signals";
import { load, save } from "./local-storage.ts";

/** How the page looks: as the device wishes, or as its reader does. */
export type Theme = "auto" | "light" | "dark";

/** The reader's choice. */
export const theme = signal<Theme>("auto");

/** Takes the choice of an earlier visit. */
export function startTheme(): void {
  const saved = load("theme");
  if (saved === "light" || saved === "dark") setTheme(saved);
}

/** Changes the look, on this device and for later visits too. */
export function setTheme(chosen: Theme): void {
  theme.value = chosen;
  save("theme", chosen === "auto" ? undefined : chosen);
  if (chosen === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = chosen;
}
