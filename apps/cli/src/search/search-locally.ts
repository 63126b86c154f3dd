import type { LibrarySearch } from "@koma/library";
import type { SearchThreads } from "@koma/library/search-threads";
import { CommandError } from "../command-error.ts";
import { getEntry } from "../library/find-entry.ts";
import { withBar } from "../terminal/progress.ts";
import { writeJsonLine } from "../terminal/write-json-line.ts";
import { withLibrary } from "../with-library.ts";
import { openImage } from "./open-image.ts";
import { printLines } from "./print-lines.ts";
import { type SearchChoices, type SearchLine, toSearchLine } from "./search-line.ts";

// No request waits for the result, unlike in the API.
const videoTimeoutMs = 120_000;

const emptyLibrary =
  "the library is empty: add videos with `koma index PATH`, or the sample library with `koma prepare`.";

/**
 * Searches images in the library of this machine with started threads, and prints a line for each. False when an
 * image could not be searched. Throws CommandError for an empty library.
 */
export async function searchLocally(
  threads: SearchThreads,
  queries: readonly string[],
  { limit, anime, json, signal }: SearchChoices,
): Promise<boolean> {
  return await withLibrary(
    async (library) => {
      const search = await withBar("Opening the library", (bar) =>
        library.openSearch({
          follow: false,
          videoTimeoutMs,
          signal,
          onProgress: ({ done, total }) => bar.update(done, total),
        }),
      );
      if (!search.isReady()) {
        const error = { code: "not_ready" as const, detail: emptyLibrary };
        if (json) for (const query of queries) await writeJsonLine({ query, error });
        throw new CommandError(emptyLibrary);
      }
      const animeId = anime === undefined ? undefined : (await getEntry(library, anime)).anime.id;
      return await printLines(listLines(search, queries, { limit, animeId, signal }), json);
    },
    { threads },
  );
}

async function* listLines(
  search: LibrarySearch,
  queries: readonly string[],
  options: { limit: number; animeId: string | undefined; signal: AbortSignal },
): AsyncGenerator<SearchLine, void, void> {
  const images = queries.map((query) => openImage(query, options.signal));
  for await (const found of search.searchMany(images, options)) yield toSearchLine(found);
}
