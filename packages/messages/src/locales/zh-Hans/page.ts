export { default as error } from "./error.json" with { type: "json" };
export { default as scene } from "./scene.json" with { type: "json" };
export { default as time } from "./time.json" with { type: "json" };
export { default as web } from "./web.json" with { type: "json" };
