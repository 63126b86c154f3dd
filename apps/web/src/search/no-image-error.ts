/** What was dropped or pasted has neither a file nor an address in it. */
export class NoImageError extends Error {
  override readonly name = "NoImageError";
}
