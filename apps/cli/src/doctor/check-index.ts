import { inspectIndex } from "@koma/library";
import { formatCount } from "../terminal/format.ts";
import { checkIndexMemory } from "./check-index-memory.ts";
import { type CheckContext, type Finding, ok, problem, warning } from "./finding.ts";

/** Checks the episodes of the library and the index cache. */
export async function checkIndex({ configuration, database }: CheckContext): Promise<Finding[]> {
  const { KOMA_DATA_DIR: dataDir, KOMA_INDEX: kind } = configuration;
  const { modelId, cache, problem: reason } = await inspectIndex(dataDir, kind);
  if (reason !== undefined) return [problem(reason)];
  const cacheText = cacheTexts[cache];
  const content = database.status === "connected" ? database.content : undefined;
  if (content === undefined) {
    return [ok(`${cacheText}. The episodes were not counted, because the database is not readable.`)];
  }
  const memory =
    kind === "postgres" && database.status === "connected"
      ? checkIndexMemory(database.server.memory, content.frames)
      : [];
  const { ready, failed, unfinished } = content.episodes;
  const searchable = content.episodesOfModel[modelId] ?? 0;
  const unfinishedText = unfinished === 0 ? "" : `, ${unfinished} not indexed yet`;
  // The API writes the first cache some seconds after its start.
  const isCacheUsable = cache !== "incomplete" && cache !== "of_another_origin";
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
  complete: "The index cache is complete",
  incomplete: "The index cache lacks files",
  missing: "The index cache does not exist yet",
  of_another_origin: "The index cache belongs to another model or another KOMA_INDEX",
  not_needed: "The index is in PostgreSQL",
};
