// Starts Koma, its commands or its tests from a fresh clone; requires only Node. Its syntax stays readable
// for old Node versions, so that they can print what is wrong.
import { nodeProblem } from "./starter/node-version.mjs";

var problem = nodeProblem(process.versions.node);
if (problem) {
  console.error(problem);
  process.exitCode = 1;
} else {
  import("./starter/main.mjs").then((starter) => starter.main(process.argv.slice(2)));
}
