/** A box of an ISO base media file (ISO/IEC 14496-12): its type, and the range of its content. */
export type IsoBox = { type: string; from: number; to: number };

/** Returns the boxes in a range of a file; a box that does not fit ends the list. */
export function listBoxes(file: Buffer, from = 0, to = file.length): IsoBox[] {
  const boxes: IsoBox[] = [];
  for (let at = from; at + 8 <= to; ) {
    const isLong = file.readUInt32BE(at) === 1;
    const head = isLong ? 16 : 8;
    if (at + head > to) break;
    const stated = isLong ? Number(file.readBigUInt64BE(at + 8)) : file.readUInt32BE(at);
    const size = stated === 0 ? to - at : stated;
    if (size < head || at + size > to) break;
    boxes.push({ type: file.toString("latin1", at + 4, at + 8), from: at + head, to: at + size });
    at += size;
  }
  return boxes;
}

/** Returns the box at a path of types below a box, or of the file; undefined without one. */
export function findBox(file: Buffer, path: readonly string[], parent?: IsoBox): IsoBox | undefined {
  let found = parent;
  for (const type of path) {
    found = listBoxes(file, found?.from, found?.to).find((box) => box.type === type);
    if (found === undefined) return undefined;
  }
  return found;
}

/** Writes a box. */
export function writeBox(type: string, ...content: Uint8Array[]): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + content.reduce((sum, { length }) => sum + length, 0));
  head.write(type, 4, "latin1");
  return Buffer.concat([head, ...content]);
}
