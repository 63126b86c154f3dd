import { ApiError } from "../api-error.ts";

/**
 * Bytes of pictures that may lie in memory at the same time, so that many large uploads cannot exhaust it; those of one
 * caller are limited too, so that a few uploads that never end cannot shut all others out.
 */
export function createByteBudget(limits: { allBytes: number; callerBytes: number }) {
  const takenBytes = new Map<string, number>();
  let allTakenBytes = 0;
  return {
    /** A share that grows with `take`, shrinks with `release` and is given back whole. `take` throws ApiError `search_busy`. */
    open(callerHash: string) {
      let shareBytes = 0;
      const add = (bytes: number) => {
        const ofCaller = (takenBytes.get(callerHash) ?? 0) + bytes;
        if (ofCaller === 0) takenBytes.delete(callerHash);
        else takenBytes.set(callerHash, ofCaller);
        allTakenBytes += bytes;
        shareBytes += bytes;
      };
      return {
        take(bytes: number): void {
          const ofCaller = takenBytes.get(callerHash) ?? 0;
          if (allTakenBytes + bytes > limits.allBytes || ofCaller + bytes > limits.callerBytes) {
            throw new ApiError(
              "search_busy",
              "Too many pictures are being received. Try again in a moment.",
              {
                retryAfterSeconds: 2,
              },
            );
          }
          add(bytes);
        },
        release(bytes: number): void {
          add(-bytes);
        },
        releaseAll(): void {
          add(-shareBytes);
        },
      };
    },
  };
}

export type ByteBudget = ReturnType<typeof createByteBudget>;
export type ByteShare = ReturnType<ByteBudget["open"]>;
