import { episode1 } from "./episode-1.ts";
import { episode2 } from "./episode-2.ts";
import { episode3 } from "./episode-3.ts";
import { opening } from "./opening.ts";

/** Paper Boats: three friends by the sea, two seasons. */
export const paperBoats = { opening, seasons: [[episode1, episode2], [episode3]] };
