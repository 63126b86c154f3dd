import { signal } from "@preact/signals";
import { load, save } from "./local-storage.ts";

/** The colour scheme; `auto` follows the device. */
export type Theme = "auto" | "light" | "dark";

/** The chosen colour scheme. */
export const theme = signal<Theme>("auto");

/** Applies the choice of an earlier visit. */
export function startTheme(): void {
  const saved = load("theme");
  if (saved === "light" || saved === "dark") setTheme(saved);
}

/** Changes the colour scheme, also for later visits. */
export function setTheme(chosen: Theme): void {
  theme.value = chosen;
  save("theme", chosen === "auto" ? undefined : chosen);
  if (chosen === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = chosen;
}
