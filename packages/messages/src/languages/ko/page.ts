import { error } from "./error.ts";
import { scene } from "./scene.ts";
import { time } from "./time.ts";
import { web } from "./web.ts";

/** What the web page says. */
export const pageTexts = { ...error, ...scene, ...time, ...web };
