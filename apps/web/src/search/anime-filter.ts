import type { Anime } from "@koma/contract";
import { signal } from "@preact/signals";

/** The anime that searches are limited to; undefined: all. */
export const animeFilter = signal<Anime | undefined>(undefined);
