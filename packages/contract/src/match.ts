import { z } from "zod";
import { Anime, Episode } from "./anime.ts";
import { exampleOf } from "./example.ts";

const seconds = z.number().min(0);
const fraction = z.number().min(0).max(1);

/** Part of a picture, in fractions of its width and height. */
export const Region = z
  .object({
    x: fraction.describe("Its left edge."),
    y: fraction.describe("Its upper edge."),
    width: fraction.describe("How wide it is."),
    height: fraction.describe("How high it is."),
  })
  .describe("Part of a picture, in fractions of its width and height, from the top left corner.")
  .meta({ examples: [{ x: 0, y: 0.12, width: 1, height: 0.24 }] });
export type Region = z.infer<typeof Region>;

/** What a list tells of a scene: the few fields of a match that name and show it. */
export const sceneFields = {
  anime: Anime,
  episode: Episode.nullable().describe("The episode; null where nothing is known of it."),
  timestamp: seconds.describe("Seconds into the video of the frame that fits best."),
  similarity: fraction.describe("Calibrated: of matches at 0.9 about nine in ten are right."),
  imageUrl: z.string().nullable().describe("A still of the scene; signed, expires. `?size=s|m|l`."),
};

/** One scene that looks like the picture. */
export const Match = z
  .object({
    rank: z.int().min(1).max(5).describe("1 is best."),
    anime: sceneFields.anime,
    episode: sceneFields.episode,
    timestamp: sceneFields.timestamp,
    from: seconds.describe("Seconds into the video at which the scene starts."),
    to: seconds.describe("Seconds into the video at which the scene ends."),
    duration: seconds.describe("Seconds that the whole video lasts."),
    similarity: sceneFields.similarity,
    isConfident: z.boolean().describe("At or above the published threshold."),
    isMirrored: z.boolean().describe("The picture is the scene's mirror image."),
    region: Region.nullable().describe("The part of the picture that is the scene; null: all of it."),
    recurring: z
      .object({ episodes: z.int().min(2).describe("Episodes that have it.") })
      .nullable()
      .describe("The same content stands in that many episodes; the earliest is given."),
    imageUrl: sceneFields.imageUrl,
    videoUrl: z.string().nullable().describe("A clip of the scene; signed, expires. `?size=s|m|l`, `?mute`."),
  })
  .describe("One scene that looks like the picture.")
  .meta({
    examples: [
      {
        rank: 1,
        anime: exampleOf(Anime),
        episode: exampleOf(Episode),
        timestamp: 754.25,
        from: 752,
        to: 756.5,
        duration: 1435.2,
        similarity: 0.973,
        isConfident: true,
        isMirrored: false,
        region: exampleOf(Region),
        recurring: null,
        imageUrl: "https://koma.example/previews/still/cmi8x2k4q0002/1795222800/k3Jf0aQz/754250.jpg",
        videoUrl: "https://koma.example/previews/clip/cmi8x2k4q0002/1795222800/p9Xc2LmR/752000-756500.mp4",
      },
    ],
  });
export type Match = z.infer<typeof Match>;

/** An example of `sceneFields`. */
export const exampleScene = z.object(sceneFields).parse(exampleOf(Match));
