/** A sentence for people whose Node is too old for Koma; undefined when it will do. */
export function nodeProblem(version) {
  var parts = version.split(".").map(Number);
  if (parts[0] > 20 || (parts[0] === 20 && parts[1] >= 19)) return undefined;
  return (
    "Koma needs Node 20.19 or newer and this is Node " +
    version +
    ": install a current one from https://nodejs.org (or run `nvm install`), then start again."
  );
}
