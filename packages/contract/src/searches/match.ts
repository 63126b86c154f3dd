import { z } from "zod";
import { Anime, Episode } from "../anime/anime.ts";
import { exampleOf } from "../endpoint/example.ts";
import { PreviewPaths, StillPaths } from "../previews/previews.ts";

const seconds = z.number().min(0);
const fraction = z.number().min(0).max(1);

/** A part of an image, in fractions of its width and height. */
export const Region = z
  .object({
    x: fraction.describe("The left edge."),
    y: fraction.describe("The upper edge."),
    width: fraction.describe("The width."),
    height: fraction.describe("The height."),
  })
  .describe("A part of an image, in fractions of its width and height, from the top left corner.")
  .meta({ examples: [{ x: 0, y: 0.12, width: 1, height: 0.24 }] });
export type Region = z.infer<typeof Region>;

/** The fields of a match that identify and show its scene in a list. */
export const sceneFields = {
  anime: Anime,
  episode: Episode.nullable().describe("The episode; null if unknown."),
  timestamp: seconds.describe("Seconds into the video of the best frame."),
  similarity: fraction.describe("Calibrated: of matches at 0.9 about nine in ten are correct."),
  imageUrl: z.string().nullable().describe("A still of the scene; signed, expires. `?size=s|m|l`."),
  previewPaths: z
    .object({ stills: StillPaths })
    .nullable()
    .default(null)
    .describe("Signed paths of the still, relative to the base address. They expire. Null: there are none."),
};

/** Another occurrence in the library with the content of a match. */
export const Occurrence = z
  .object({
    episode: Episode.nullable().describe("The episode; null if unknown."),
    from: seconds.describe("Seconds into the video at which the scene starts."),
    to: seconds.describe("Seconds into the video at which the scene ends."),
  })
  .describe("Another scene in the library with the same content.")
  .meta({ examples: [{ episode: { season: null, number: 4, title: null }, from: 62, to: 66.5 }] });
export type Occurrence = z.infer<typeof Occurrence>;

/** The maximum number of occurrences of one match. */
const occurrenceLimit = 20;

/** The part of an episode that a scene belongs to. */
export const SceneLabel = z
  .enum(["opening", "ending", "preview", "pv"], "must be opening, ending, preview or pv")
  .describe("The opening, the ending, the preview of the next episode, or a promotional video.");
export type SceneLabel = z.infer<typeof SceneLabel>;

/** Another service that found a match. */
export const MatchSource = z
  .object({
    name: z.string().describe("The name of the service."),
    url: z.string().describe("Its web page, an http or https address."),
  })
  .describe("Another service that found a match.")
  .meta({ examples: [{ name: "trace.moe", url: "https://trace.moe" }] });
export type MatchSource = z.infer<typeof MatchSource>;

/** A scene that looks like the query image. */
export const Match = z
  .object({
    rank: z.int().min(1).max(5).describe("1 is best."),
    anime: sceneFields.anime,
    episode: sceneFields.episode,
    timestamp: sceneFields.timestamp,
    from: seconds.describe("Seconds into the video at which the scene starts."),
    to: seconds.describe("Seconds into the video at which the scene ends."),
    looksSameFrom: seconds
      .nullable()
      .default(null)
      .describe("Seconds at which the frames that look like the best one start. Null: unknown."),
    looksSameTo: seconds
      .nullable()
      .default(null)
      .describe("Seconds at which the frames that look like the best one end. Null: unknown."),
    label: SceneLabel.nullable()
      .default(null)
      .describe(
        "The part of the episode that contains the timestamp. Openings and endings are detected, and operators correct them. Null: none of these, or unknown.",
      ),
    duration: seconds.describe(
      "The duration of the video in seconds; `to` if the service in `source` does not state it.",
    ),
    similarity: sceneFields.similarity,
    isConfident: z.boolean().describe("Whether the similarity is at or above the published threshold."),
    isMirrored: z.boolean().describe("Whether the query image is the mirror image of the scene."),
    region: Region.nullable().describe("The part of the query image that shows the scene; null: all of it."),
    recurring: z
      .object({ episodes: z.int().min(2).describe("Episodes with this content.") })
      .nullable()
      .describe("Several episodes have the same content; this is the earliest. Null: one episode."),
    otherOccurrences: z
      .array(Occurrence)
      .max(occurrenceLimit)
      .default([])
      .describe("Other scenes with the same content: reused shots, openings of other episodes."),
    imageUrl: sceneFields.imageUrl,
    videoUrl: z
      .string()
      .nullable()
      .describe(
        "A clip of the scene; signed, expires. `?size=s|m|l`, `?mute`. Null beside an `imageUrl`: the episode was imported without its video; its still is small.",
      ),
    previewPaths: PreviewPaths.nullable()
      .default(null)
      .describe(
        "Signed paths of the still and the clip, relative to the base address. Null: there are none.",
      ),
    source: MatchSource.nullable()
      .default(null)
      .describe(
        "The other service that found the scene, with its similarity; null: this library. Such a match has no previews, and an `anime.id` that this service does not know if the anime is not in its library.",
      ),
  })
  .describe("A scene that looks like the query image.")
  .meta({
    examples: [
      {
        rank: 1,
        anime: exampleOf(Anime),
        episode: exampleOf(Episode),
        timestamp: 754.25,
        from: 752,
        to: 756.5,
        looksSameFrom: 754.125,
        looksSameTo: 754.375,
        label: null,
        duration: 1435.2,
        similarity: 0.973,
        isConfident: true,
        isMirrored: false,
        region: exampleOf(Region),
        recurring: null,
        otherOccurrences: [],
        imageUrl: "https://koma.example/previews/still/cmi8x2k4q0002/1795222800/k3Jf0aQz/754250.jpg",
        videoUrl: "https://koma.example/previews/clip/cmi8x2k4q0002/1795222800/p9Xc2LmR/752000-756500.mp4",
        previewPaths: {
          stills: {
            s: "/previews/still/cmi8x2k4q0002/1795222800/Yw81nVbe/754250.jpg?size=s",
            m: "/previews/still/cmi8x2k4q0002/1795222800/k3Jf0aQz/754250.jpg?size=m",
            l: "/previews/still/cmi8x2k4q0002/1795222800/Vf5tGh2s/754250.jpg?size=l",
          },
          clips: {
            s: "/previews/clip/cmi8x2k4q0002/1795222800/d7Kq4RtZ/752000-756500.mp4?size=s",
            m: "/previews/clip/cmi8x2k4q0002/1795222800/p9Xc2LmR/752000-756500.mp4?size=m",
            l: "/previews/clip/cmi8x2k4q0002/1795222800/H3sWn6Ub/752000-756500.mp4?size=l",
          },
          mutedClips: {
            s: "/previews/clip/cmi8x2k4q0002/1795222800/Bx0vM8yC/752000-756500.mp4?size=s&mute=true",
            m: "/previews/clip/cmi8x2k4q0002/1795222800/qT2jEo5P/752000-756500.mp4?size=m&mute=true",
            l: "/previews/clip/cmi8x2k4q0002/1795222800/N6hLz9Ai/752000-756500.mp4?size=l&mute=true",
          },
        },
        source: null,
      },
    ],
  });
export type Match = z.infer<typeof Match>;

/** An example of `sceneFields`. */
export const exampleScene = z.object(sceneFields).parse(exampleOf(Match));
