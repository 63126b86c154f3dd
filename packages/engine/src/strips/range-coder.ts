// A binary range coder with adaptive probabilities, as in LZMA (Martin 1979; Pavlov 2007): probabilities have
// 12 bits and move by a sixteenth, because a strip has few symbols.
const TOP = 2 ** 24;
const EVEN = 1 << 11;
const LIMIT = 1 << 12;
const RATE = 4;

/** Returns the probabilities of `count` kinds of bits; both values are equally likely at first. */
export function createBitModels(count: number): Uint16Array {
  return new Uint16Array(count).fill(EVEN);
}

/** Writes bits; kernels/strips reads them. */
export function createRangeEncoder() {
  const bytes: number[] = [];
  let low = 0;
  let range = 2 ** 32 - 1;
  let last: number | undefined;
  let pending = 0;

  /** Emits the highest byte of `low`; bytes that a carry may still change wait. */
  function shift(): void {
    if (low < 0xff000000 || low >= 2 ** 32) {
      const carry = low >= 2 ** 32 ? 1 : 0;
      if (last !== undefined) bytes.push((last + carry) & 255);
      for (; pending > 0; pending--) bytes.push((255 + carry) & 255);
      last = Math.floor(low / TOP) & 255;
    } else {
      pending++;
    }
    low = (low % TOP) * 256;
  }

  function normalise(): void {
    while (range < TOP) {
      range *= 256;
      shift();
    }
  }

  return {
    /** Writes a bit of the kind `at`. */
    bit(models: Uint16Array, at: number, bit: number): void {
      const probability = models[at] ?? EVEN;
      const bound = Math.floor(range / LIMIT) * probability;
      if (bit === 0) {
        range = bound;
        models[at] = probability + ((LIMIT - probability) >> RATE);
      } else {
        low += bound;
        range -= bound;
        models[at] = probability - (probability >> RATE);
      }
      normalise();
    },
    /** Writes a bit whose values are equally likely. */
    plain(bit: number): void {
      range = Math.floor(range / 2);
      if (bit !== 0) low += range;
      normalise();
    },
    /** Returns all bytes; zeros at the end are omitted. */
    finish(): Uint8Array {
      for (let at = 0; at < 5; at++) shift();
      while (bytes.at(-1) === 0) bytes.pop();
      return Uint8Array.from(bytes);
    },
  };
}
