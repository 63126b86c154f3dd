/**
 * The error message for a Node that is too old for Koma; undefined for a supported one.
 * @param {string} version
 */
export function nodeProblem(version) {
  var parts = version.split(".").map(Number);
  var major = parts[0] || 0;
  var minor = parts[1] || 0;
  if (major > 20 || (major === 20 && minor >= 19)) return undefined;
  return (
    "Koma needs Node 20.19 or newer and this is Node " +
    version +
    ": install a current one from https://nodejs.org (or run `nvm install`), then start again."
  );
}
