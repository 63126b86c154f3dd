import type { Anime, Database } from "@koma/database";

/**
 * Reads the names of what the audit log names by ids ("user:ID", "anime:ID", "episode:ID"). Deleted ones have no
 * name; a merged anime has that of the remaining one.
 */
export async function readAuditNames(
  database: Pick<Database, "users" | "anime" | "episodes">,
  keys: readonly string[],
): Promise<Map<string, string>> {
  const listIds = (kind: string) => [
    ...new Set(keys.flatMap((key) => (key.startsWith(`${kind}:`) ? key.slice(kind.length + 1) : []))),
  ];
  const [users, anime, episodes] = await Promise.all([
    database.users.findMany(listIds("user")),
    database.anime.resolve(listIds("anime")),
    database.episodes.findMany(listIds("episode")),
  ]);
  return new Map([
    ...users.map(({ id, name }) => [`user:${id}`, name] as const),
    ...[...anime].map(([id, one]) => [`anime:${id}`, readTitle(one)] as const),
    ...episodes.map(
      ({ id, anime, number, title, fileName }) =>
        [`episode:${id}`, [readTitle(anime), number ?? title ?? fileName].join(" – ")] as const,
    ),
  ]);
}

function readTitle({ titleRomaji, titleEnglish, titleNative }: Anime): string {
  return titleRomaji ?? titleEnglish ?? titleNative ?? "";
}
