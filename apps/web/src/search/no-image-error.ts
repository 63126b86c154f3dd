/** A dropped or pasted object contains neither a file nor an address. */
export class NoImageError extends Error {
  override readonly name = "NoImageError";
}
