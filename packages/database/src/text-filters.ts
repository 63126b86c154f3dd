import { foldTitle } from "./library/anime-merge.ts";

/** Escapes the wildcards of LIKE. Prisma passes them unescaped, as parameters of SQL do. */
export function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, "\\$&");
}

/** Prisma's filter for texts that contain `part`; case is ignored. */
export function containsText(part: string) {
  return { contains: escapeLike(part), mode: "insensitive" } as const;
}

/** Prisma's filter for anime with a title or synonym that contains `part`; case and width are ignored. */
export function hasTitle(part: string) {
  return { searchText: { contains: escapeLike(foldTitle(part)) } };
}
