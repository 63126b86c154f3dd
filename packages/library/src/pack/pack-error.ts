/** A pack that cannot be read: it is damaged, of another version or model, or no pack. One sentence says why. */
export class PackError extends Error {
  override readonly name = "PackError";
}
