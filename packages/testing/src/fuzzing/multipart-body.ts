import type { Random } from "../drawing/random.ts";
import { hostileText, mutateText } from "./hostile-text.ts";
import { mutateBytes, randomBytes } from "./mutate-bytes.ts";

/** A `multipart/form-data` body and its content type. */
export type MultipartBody = { contentType: string; body: Buffer };

/** Returns a valid form with one file. `fileName` is written as it is. */
export function writeFileForm(file: Buffer, fileName = "image.jpg", type = "image/jpeg"): MultipartBody {
  const disposition = `form-data; name="image"; filename="${fileName}"`;
  return {
    contentType: "multipart/form-data; boundary=koma",
    body: Buffer.concat([
      Buffer.from(`--koma\r\nContent-Disposition: ${disposition}\r\nContent-Type: ${type}\r\n\r\n`),
      file,
      Buffer.from("\r\n--koma--\r\n"),
    ]),
  };
}

/** Returns a valid form with these text fields. */
export function writeFieldForm(fields: { [name: string]: string }): MultipartBody {
  const parts = Object.entries(fields).map(
    ([name, value]) => `--koma\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  return {
    contentType: "multipart/form-data; boundary=koma",
    body: Buffer.from(`${parts.join("")}--koma--\r\n`),
  };
}

/** Returns a form with invalid parts, headers and boundaries. */
export function generateMultipartBody(random: Random, files: readonly Buffer[]): MultipartBody {
  const boundary = generateBoundary(random);
  const parts = Array.from({ length: random.chance(0.03) ? random.whole(30, 60) : random.whole(0, 5) }, () =>
    generatePart(random, boundary, files),
  );
  const end = random.chance(0.85)
    ? `--${boundary}--\r\n`
    : random.pick(["", "--", `--${boundary}`, "\r\n--\r\n"]);
  const body = Buffer.concat([
    Buffer.from(random.chance(0.1) ? hostileText(random) : ""),
    ...parts,
    Buffer.from(end, "latin1"),
    Buffer.from(random.chance(0.1) ? hostileText(random) : ""),
  ]);
  const type = `multipart/form-data; boundary=${random.chance(0.2) ? `"${boundary}"` : boundary}`;
  return {
    contentType: random.chance(0.1) ? mutateText(random, type) : type,
    body: random.chance(0.3) ? mutateBytes(random, body, files) : body,
  };
}

function generateBoundary(random: Random): string {
  if (random.chance(0.7)) return "b";
  return random.pick([
    "",
    "-",
    "--",
    "b".repeat(70),
    "b".repeat(300),
    "a b",
    "'()+_,-./:=?",
    "\u00e9",
    "x\0y",
  ]);
}

function generatePart(random: Random, boundary: string, files: readonly Buffer[]): Buffer {
  const name = random.chance(0.7)
    ? random.pick(["image", "url", "animeId", "isPublic", "trimBorders", "upstream"])
    : hostileText(random);
  const fileName = random.chance(0.4) ? `; filename="${hostileText(random)}"` : "";
  const disposition = `Content-Disposition: form-data; name="${name}"${fileName}`;
  const headers = [random.chance(0.9) ? disposition : mutateText(random, disposition)];
  if (random.chance(0.4)) {
    headers.push(
      `Content-Type: ${random.pick(["image/png", "text/plain; charset=utf-7", "application/json", "x"])}`,
    );
  }
  if (random.chance(0.1))
    headers.push(`Content-Transfer-Encoding: ${random.pick(["base64", "quoted-printable", "x"])}`);
  if (random.chance(0.1)) headers.push(disposition);
  if (random.chance(0.05)) headers.push(hostileText(random));
  if (random.chance(0.02)) headers.push(...Array.from({ length: 80 }, (_, at) => `x-${at}: ${at}`));
  if (random.chance(0.02)) headers.push(`x: ${"x".repeat(20_000)}`);
  const lineEnd = random.chance(0.95) ? "\r\n" : random.pick(["\n", "\r", ""]);
  return Buffer.concat([
    Buffer.from(`--${boundary}${lineEnd}${headers.join(lineEnd)}${lineEnd}${lineEnd}`, "utf8"),
    generateValue(random, name, files),
    Buffer.from(lineEnd),
  ]);
}

function generateValue(random: Random, name: string, files: readonly Buffer[]): Buffer {
  if (name === "image" && random.chance(0.3))
    return files[random.whole(0, files.length - 1)] ?? Buffer.alloc(0);
  if (name === "isPublic" && random.chance(0.5)) return Buffer.from(random.pick(["true", "false"]));
  if (random.chance(0.02)) return Buffer.alloc(random.whole(10_000, 40_000), "x");
  return random.chance(0.3) ? randomBytes(random, random.whole(0, 200)) : Buffer.from(hostileText(random));
}
