import { describe, expect, it } from "vitest";
import { decoderThreads } from "../src/frame-stream.ts";

describe("the threads of the decoder", () => {
  const small = { width: 640, height: 360 };

  it("are one for a small video on at most two processors", () => {
    expect(decoderThreads(small, 1)).toEqual(["-threads", "1"]);
    expect(decoderThreads(small, 2)).toEqual(["-threads", "1"]);
  });

  it("are ffmpeg's choice for a large video and on more processors", () => {
    expect(decoderThreads({ width: 1280, height: 720 }, 2)).toEqual([]);
    expect(decoderThreads(small, 4)).toEqual([]);
  });
});
