import { crc32 } from "node:zlib";

/** Length of the signature and the checksum that `seal` puts in front of bytes. */
export const SEAL_BYTES = 8;

/** Puts a signature and the crc32 of the bytes in front of them, both big-endian. */
export function seal(signature: number, body: Uint8Array): Uint8Array {
  const head = Buffer.alloc(SEAL_BYTES);
  head.writeUInt32BE(signature);
  head.writeUInt32BE(crc32(body), 4);
  return new Uint8Array(Buffer.concat([head, body]));
}

/** True for bytes with this signature. */
export function isSealed(signature: number, bytes: Uint8Array): boolean {
  return (
    bytes.length >= SEAL_BYTES && new DataView(bytes.buffer, bytes.byteOffset).getUint32(0) === signature
  );
}

/** Returns the bytes behind the signature; undefined when they were changed or have another one. */
export function unseal(signature: number, bytes: Uint8Array): Uint8Array | undefined {
  const body = bytes.subarray(SEAL_BYTES);
  const isSound =
    isSealed(signature, bytes) && new DataView(bytes.buffer, bytes.byteOffset).getUint32(4) === crc32(body);
  return isSound ? body : undefined;
}

/** Appends numbers to a growing block of bytes; little-endian. */
export function createByteWriter() {
  let bytes = new Uint8Array(1024);
  let length = 0;
  const reserve = (count: number) => {
    if (length + count > bytes.length) {
      const larger = new Uint8Array(Math.max(bytes.length * 2, length + count));
      larger.set(bytes);
      bytes = larger;
    }
  };

  return {
    raw(block: Uint8Array) {
      reserve(block.length);
      bytes.set(block, length);
      length += block.length;
    },
    /** An integer from 0 to 2^53 in base 128, least significant digit first. */
    whole(value: number) {
      reserve(8);
      let rest = value;
      while (rest >= 128) {
        bytes[length++] = (rest % 128) + 128;
        rest = Math.floor(rest / 128);
      }
      bytes[length++] = rest;
    },
    finish: (): Uint8Array => bytes.slice(0, length),
  };
}

/** Reads what `createByteWriter` wrote. Throws RangeError at the end of the bytes. */
export function createByteReader(bytes: Uint8Array) {
  let at = 0;
  return {
    raw(count: number): Uint8Array {
      if (at + count > bytes.length) throw new RangeError("The data ends too early.");
      at += count;
      return bytes.subarray(at - count, at);
    },
    whole(): number {
      let value = 0;
      for (let factor = 1; ; factor *= 128) {
        const byte = bytes[at++];
        if (byte === undefined || factor > 2 ** 49) throw new RangeError("The data ends too early.");
        value += (byte % 128) * factor;
        if (byte < 128) return value;
      }
    },
    /** Returns all bytes that were not read. */
    rest(): Uint8Array {
      const left = bytes.subarray(at);
      at = bytes.length;
      return left;
    },
    isAtEnd: (): boolean => at === bytes.length,
  };
}
