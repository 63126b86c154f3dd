import { inspectIndex } from "@koma/library";
import { formatCount } from "../terminal/format.ts";
import { checkIndexMemory } from "./check-index-memory.ts";
import { type CheckContext, type Finding, ok, warning } from "./finding.ts";

/** Checks the episodes of the library and the index cache. */
export async function checkIndex({ configuration, database }: CheckContext): Promise<Finding[]> {
  const inspected = await inspectIndex(configuration.KOMA_DATA_DIR);
  const { modelId } = inspected;
  // PostgreSQL needs no cache.
  const cache = configuration.KOMA_INDEX === "postgres" ? "complete" : inspected.cache;
  const cacheText =
    configuration.KOMA_INDEX === "postgres"
      ? "The index is in PostgreSQL"
      : `The index cache ${cacheTexts[cache]}`;
  const content = database.status === "connected" ? database.content : undefined;
  if (content === undefined) {
    return [ok(`${cacheText}. The episodes were not counted, because the database is not readable.`)];
  }
  const memory =
    configuration.KOMA_INDEX === "postgres" && database.status === "connected"
      ? checkIndexMemory(database.server.memory, content.frames)
      : [];
  const { ready, failed, unfinished } = content.episodes;
  const searchable = content.episodesOfModel[modelId] ?? 0;
  const unfinishedText = unfinished === 0 ? "" : `, ${unfinished} not indexed yet`;
  // The API writes the first cache some seconds after its start.
  const isCacheUsable = cache === "complete" || cache === "missing";
  const cacheNote = cache === "missing" ? " without an index cache yet" : "";
  return [
    ready === 0
      ? warning(`The library is empty${unfinishedText}: add videos with \`koma index FOLDER\`.`)
      : ok(`${formatCount(searchable, "searchable episode")}${cacheNote}${unfinishedText}.`),
    ...(ready > searchable
      ? [
          warning(
            `${formatCount(ready - searchable, "episode")} were indexed with another model and cannot be searched: run \`koma index\` again.`,
          ),
        ]
      : []),
    ...(failed > 0
      ? [warning(`${formatCount(failed, "episode")} failed: \`koma library verify\` names the reasons.`)]
      : []),
    ...memory,
    ...(isCacheUsable
      ? []
      : [warning(`${cacheText}; the next start of the API builds it, which takes longer.`)]),
  ];
}

const cacheTexts = {
  complete: "is complete",
  incomplete: "lacks files",
  missing: "does not exist yet",
  of_another_model: "belongs to another model",
};
