/**
 * Draws a valid black progressive JPEG of three components with this many scans: one of the DC coefficients,
 * the others empty. With 100 scans, 50 megapixels take 300 kB.
 */
export function drawProgressiveJpeg(width: number, height: number, scans: number): Buffer {
  const blocks = Math.ceil(width / 8) * Math.ceil(height / 8);
  const frame = Buffer.from("ffc20011080000000003011100021100031100", "hex");
  frame.writeUInt16BE(height, 5);
  frame.writeUInt16BE(width, 7);
  return Buffer.concat([
    Buffer.from("ffd8ffdb004300", "hex"),
    Buffer.alloc(64, 1),
    frame,
    huffmanTable(0x00, 0x00),
    // The only code represents 16,384 blocks without a coefficient.
    huffmanTable(0x10, 0xe0),
    Buffer.from("ffda000c03010002000300000000", "hex"),
    Buffer.alloc(Math.ceil((3 * blocks) / 8)),
    ...Array.from({ length: scans - 1 }, (_, scan) =>
      Buffer.concat([
        Buffer.from([0xff, 0xda, 0, 8, 1, 1 + (scan % 3), 0, 1, 63, 0]),
        Buffer.alloc(Math.ceil((Math.ceil(blocks / 16_384) * 15) / 8)),
      ]),
    ),
    Buffer.from([0xff, 0xd9]),
  ]);
}

/** Returns a table with one code of one bit. */
function huffmanTable(tableId: number, symbol: number): Buffer {
  return Buffer.from([0xff, 0xc4, 0, 20, tableId, 1, ...new Array<number>(15).fill(0), symbol]);
}
