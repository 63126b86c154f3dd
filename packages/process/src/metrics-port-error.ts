/** The server of metrics cannot listen; the message names the variable to change. */
export class MetricsPortError extends Error {
  override readonly name = "MetricsPortError";
}
