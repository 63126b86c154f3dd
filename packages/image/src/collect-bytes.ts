/** Counts memory before it is allocated. `take` throws when the budget is exhausted. */
export type ByteBudget = { take(bytes: number): void; release(bytes: number): void };

/**
 * Joins the chunks of a body of unknown length. Chunks are copied into blocks of 64 KiB, because an array of
 * 1-byte chunks takes about 300 bytes for each. Throws the result of `createLimitError` beyond `limitBytes`,
 * and the errors of the budget and of the chunks. The bytes of the result stay taken from the budget.
 */
export async function collectBytes(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  options: { limitBytes: number; createLimitError: () => Error; budget?: ByteBudget },
): Promise<Buffer<ArrayBuffer>> {
  const { limitBytes, createLimitError, budget } = options;
  const blocks: Buffer[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    if (size + chunk.byteLength > limitBytes) throw createLimitError();
    for (let copied = 0; copied < chunk.byteLength; ) {
      const offset = size % blockBytes;
      if (offset === 0) {
        budget?.take(blockBytes);
        blocks.push(Buffer.allocUnsafeSlow(blockBytes));
      }
      const part = chunk.subarray(copied, copied + blockBytes - offset);
      blocks.at(-1)?.set(part, offset);
      copied += part.byteLength;
      size += part.byteLength;
    }
  }
  budget?.take(size);
  const bytes = Buffer.allocUnsafeSlow(size);
  for (const [at, block] of blocks.entries()) block.copy(bytes, at * blockBytes);
  budget?.release(blocks.length * blockBytes);
  return bytes;
}

const blockBytes = 64 * 1024;
