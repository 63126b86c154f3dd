import type { Sharp } from "../../src/index.ts";

/** Writes an animated AVIF of these images, each of which is shown for 100 ms. Each frame is independent. */
export async function writeAvifSequence(images: readonly Sharp[]): Promise<Buffer> {
  const stills = await Promise.all(
    images.map((image) => image.clone().removeAlpha().avif({ effort: 0 }).toBuffer()),
  );
  const [first] = stills;
  if (first === undefined) throw new Error("An animation has frames.");
  const samples = stills.map((still) => still.subarray(still.indexOf("mdat") + 4));
  const [width, height] = [8, 12].map((offset) => first.readUInt32BE(first.indexOf("ispe") + offset));
  const configurationAt = first.indexOf("av1C");
  const configuration = first.subarray(
    configurationAt - 4,
    configurationAt - 4 + first.readUInt32BE(configurationAt - 4),
  );
  const size = Buffer.alloc(4);
  size.writeUInt16BE(width ?? 0, 0);
  size.writeUInt16BE(height ?? 0, 2);
  const entry = box("av01", Buffer.alloc(24), size, Buffer.alloc(50), configuration);
  const type = box("ftyp", Buffer.from("avis\0\0\0\0avisavifmif1miaf", "latin1"));
  const writeMovie = (dataAt: number) =>
    box(
      "moov",
      box(
        "trak",
        box(
          "mdia",
          box("mdhd", words(0, 0, 0, 1000, 100 * samples.length, 0)),
          box("hdlr", words(0, 0), Buffer.from("pict"), Buffer.alloc(13)),
          box(
            "minf",
            box(
              "stbl",
              box("stsd", words(0, 1), entry),
              box("stts", words(0, 1, samples.length, 100)),
              box("stsc", words(0, 1, 1, samples.length, 1)),
              box("stsz", words(0, 0, samples.length, ...samples.map(({ length }) => length))),
              box("stco", words(0, 1, dataAt)),
            ),
          ),
        ),
      ),
    );
  const dataAt = type.length + writeMovie(0).length + 8;
  return Buffer.concat([type, writeMovie(dataAt), box("mdat", ...samples)]);
}

function box(type: string, ...content: Buffer[]): Buffer {
  const body = Buffer.concat(content);
  return Buffer.concat([words(8 + body.length), Buffer.from(type, "latin1"), body]);
}

function words(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [at, value] of values.entries()) bytes.writeUInt32BE(value, at * 4);
  return bytes;
}
