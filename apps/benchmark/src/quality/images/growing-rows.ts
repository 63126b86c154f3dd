/** Collects rows of `length` bytes in one block that grows. */
export function createGrowingRows(length: number) {
  let bytes = new Uint8Array(length * 1024);
  let count = 0;
  return {
    add(row: Uint8Array): void {
      if ((count + 1) * length > bytes.length) {
        const larger = new Uint8Array(bytes.length * 2);
        larger.set(bytes);
        bytes = larger;
      }
      bytes.set(row, count * length);
      count++;
    },
    rows: (): Uint8Array => bytes.subarray(0, count * length),
  };
}
