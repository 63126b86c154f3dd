import { episode1 } from "./episode-1.ts";
import { episode2 } from "./episode-2.ts";
import { opening } from "./opening.ts";

/** Iron Comet: a small crew, an old robot and a comet. */
export const ironComet = { opening, episodes: [episode1, episode2] };
