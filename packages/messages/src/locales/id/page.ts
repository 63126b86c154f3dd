import error from "./error.json" with { type: "json" };
import scene from "./scene.json" with { type: "json" };
import time from "./time.json" with { type: "json" };
import web from "./web.json" with { type: "json" };

export const pageTexts = { error, scene, time, web };
