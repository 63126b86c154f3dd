import { dirname } from "node:path";
import { normaliseTitle } from "../titles/normalise-title.ts";
import { discoverVideos, type VideoFailure } from "./discover-videos.ts";
import type { IndexOptions } from "./index-event.ts";
import { createNameReader, type ReadName } from "./video-naming.ts";

/** The name under which a video would be indexed, and reasons to check it. */
export type NamePreview = Omit<ReadName, "ids"> & { file: string; doubts: NameDoubt[] };

/**
 * `same_number`: another video has the same title, season and number. `without_number`: other videos of the
 * folder have a number. `other_title`: most videos of the folder have another title.
 */
export type NameDoubt = "same_number" | "without_number" | "other_title";

/**
 * Names the videos at these paths without indexing them; those with doubts come first. A video whose name is
 * changed in the library keeps that name when it is indexed again.
 */
export async function previewNames(
  paths: readonly string[],
  o: Pick<IndexOptions, "title" | "season" | "episode" | "anilistId" | "signal"> = {},
): Promise<{ names: NamePreview[]; problems: VideoFailure[] }> {
  const { videos, problems } = await discoverVideos(paths, { signal: o.signal });
  const readName = createNameReader(o);
  const read: NamePreview[] = [];
  for (const { path } of videos) {
    o.signal?.throwIfAborted();
    const { ids: _, ...name } = await readName(path);
    read.push({ file: path, ...name, doubts: [] });
  }
  const folders = Map.groupBy(read, ({ file }) => dirname(file));
  const episodes = Map.groupBy(
    read.filter(({ number }) => number !== null),
    episodeKey,
  );
  const names = read.map((name) => ({
    ...name,
    doubts: findDoubts(name, folders.get(dirname(name.file)) ?? [], episodes.get(episodeKey(name)) ?? []),
  }));
  return { names: names.toSorted((left, right) => right.doubts.length - left.doubts.length), problems };
}

function findDoubts(
  name: NamePreview,
  folder: readonly NamePreview[],
  episodes: readonly NamePreview[],
): NameDoubt[] {
  const isTitle = ({ title }: NamePreview) => normaliseTitle(title) === normaliseTitle(name.title);
  const titled = Map.groupBy(folder, ({ title }) => normaliseTitle(title));
  const most = Math.max(...[...titled.values()].map((videos) => videos.length));
  const doubts: NameDoubt[] = [];
  if (name.number !== null && episodes.length > 1) doubts.push("same_number");
  if (name.number === null && folder.some(({ number }) => number !== null)) doubts.push("without_number");
  if (most > folder.length / 2 && folder.filter(isTitle).length < most) doubts.push("other_title");
  return doubts;
}

function episodeKey({ title, season, number }: NamePreview): string {
  return JSON.stringify([normaliseTitle(title), season ?? 1, number]);
}
