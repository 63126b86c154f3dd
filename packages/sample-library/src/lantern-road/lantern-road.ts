import { episode1 } from "./episode-1.ts";
import { episode2 } from "./episode-2.ts";
import { episode3 } from "./episode-3.ts";
import { opening } from "./opening.ts";

/** Lantern Road: a girl, a boy and a fox carry a light over the mountains. */
export const lanternRoad = { opening, episodes: [episode1, episode2, episode3] };
