import { ApiError } from "../api-error.ts";

/** Bytes of pictures that may lie in memory at the same time, so that many large uploads cannot exhaust it. */
export function createByteBudget(limitBytes: number) {
  let takenBytes = 0;
  return {
    /** A share that grows with `take` and is given back whole. `take` throws ApiError `search_busy`. */
    open() {
      let shareBytes = 0;
      return {
        take(bytes: number): void {
          if (takenBytes + bytes > limitBytes) {
            throw new ApiError(
              "search_busy",
              "Too many pictures are being received. Try again in a moment.",
              {
                retryAfterSeconds: 2,
              },
            );
          }
          takenBytes += bytes;
          shareBytes += bytes;
        },
        giveBack(): void {
          takenBytes -= shareBytes;
          shareBytes = 0;
        },
      };
    },
  };
}

export type ByteShare = ReturnType<ReturnType<typeof createByteBudget>["open"]>;
