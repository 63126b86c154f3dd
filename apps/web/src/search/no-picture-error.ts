/** What was dropped or pasted has neither a file nor an address in it. */
export class NoPictureError extends Error {
  override readonly name = "NoPictureError";
}
