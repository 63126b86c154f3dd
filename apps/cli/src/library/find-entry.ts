import type { Library, LibraryEntry } from "@koma/library";
import { CommandError } from "../command-error.ts";
import { printable } from "../terminal/table.ts";

/**
 * The anime with this id or title, with all its episodes, or the episode with this id with its anime. A title
 * may be the romaji, English or native one; case does not matter. Throws CommandError when several anime have
 * the title.
 */
export async function findEntry(library: Library, idOrTitle: string): Promise<LibraryEntry | undefined> {
  const byId = await library.findEntry(idOrTitle);
  if (byId !== undefined) return byId;
  const title = fold(idOrTitle);
  const entries = (await library.list()).filter(({ anime }) =>
    [anime.titleRomaji, anime.titleEnglish, anime.titleNative].some(
      (known) => known !== null && fold(known) === title,
    ),
  );
  if (entries.length <= 1) return entries[0];
  const ids = entries.map(({ anime }) => anime.id).join(", ");
  throw new CommandError(`several anime have the title ${printable(idOrTitle)}: use one of the ids ${ids}.`);
}

/** As `findEntry`. Throws CommandError when there is none. */
export async function getEntry(library: Library, idOrTitle: string): Promise<LibraryEntry> {
  const entry = await findEntry(library, idOrTitle);
  if (entry !== undefined) return entry;
  throw new CommandError(
    `nothing in the library has the id or title ${printable(idOrTitle)}: \`koma library list\` shows the anime.`,
  );
}

function fold(title: string): string {
  return title.normalize("NFKC").trim().toLowerCase();
}
