/** The path of a Chromium on this machine, if there is one. */
export function findBrowser(): string | undefined {
  return undefined;
}

/** A PNG of a page, taken by Chromium at this width. */
export function takePicture(_html: string, _options: { width?: number } = {}): Promise<Uint8Array> {
  throw new Error("The renderer is being built.");
}
