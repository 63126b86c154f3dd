import type { Anime, Episode } from "@koma/database";

/** An anime of the library with its episodes in order of season and number. */
export type LibraryEntry = { anime: Anime; episodes: Episode[] };
