import { z } from "zod";
import { Anime, Episode } from "./anime.ts";

const seconds = z.number().min(0);
const fraction = z.number().min(0).max(1);

/** Part of a picture, in fractions of its width and height. */
export const Region = z
  .object({ x: fraction, y: fraction, width: fraction, height: fraction })
  .describe("Part of a picture, in fractions of its width and height, from the top left corner.");
export type Region = z.infer<typeof Region>;

/** One scene that looks like the picture. */
export const Match = z
  .object({
    rank: z.int().min(1).max(5).describe("1 is best."),
    anime: Anime,
    episode: Episode.nullable(),
    timestamp: seconds.describe("Seconds into the video of the frame that fits best."),
    from: seconds.describe("Seconds into the video at which the scene starts."),
    to: seconds.describe("Seconds into the video at which the scene ends."),
    duration: seconds.describe("Seconds that the whole video lasts."),
    similarity: fraction.describe("Calibrated: of matches at 0.9 about nine in ten are right."),
    isConfident: z.boolean().describe("At or above the published threshold."),
    isMirrored: z.boolean().describe("The picture is the scene's mirror image."),
    region: Region.nullable().describe("The part of the picture that is the scene; null: all of it."),
    recurring: z
      .object({ episodes: z.int().min(2) })
      .nullable()
      .describe("The same content stands in that many episodes; the earliest is given."),
    imageUrl: z.string().nullable().describe("A still of the scene; signed, expires. `?size=s|m|l`."),
    videoUrl: z.string().nullable().describe("A clip of the scene; signed, expires. `?size=s|m|l`, `?mute`."),
  })
  .describe("One scene that looks like the picture.");
export type Match = z.infer<typeof Match>;
