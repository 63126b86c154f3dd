import type { Call } from "../http/call.ts";
import { deny } from "../http/problems.ts";
import { isLocal } from "../rules/address-rules.ts";
import type { Files } from "../state/files.ts";
import { probe } from "../state/probe.ts";
import type { FileKind, StoredFile } from "../state/stored.ts";
import type { World } from "../state/world.ts";

/** What a file is to be sent as, and what the bot says of it. */
export type Wanted = {
  kind: FileKind;
  value: string;
  width?: number | undefined;
  height?: number | undefined;
  duration?: number | undefined;
  thumbnail?: string | undefined;
  /** Inline messages take no new files. */
  isInline?: boolean;
};

const mimeTypes = {
  jpeg: "image/jpeg",
  png: "image/png",
  gif: "image/gif",
  webp: "image/webp",
  mp4: "video/mp4",
  webm: "video/webm",
  unknown: undefined,
};

/** Reads the files of a call: uploaded with it, known by id, or from an address. */
export function createMediaReader(world: World, files: Files) {
  const readUpload = (call: Call, value: string) => {
    const name = value.slice("attach://".length);
    const file = call.files.get(name);
    if (!file)
      return call.judge.refuse(
        "media",
        `${value} names no file of this call`,
        "Bad Request: file part not found",
      );
    return file;
  };

  const fetchFile = (call: Call, address: string) => {
    const hosted = [...world.webFiles.entries()].find(([id]) =>
      address.startsWith(`${world.origin}/web/${id}/`),
    );
    if (!hosted) return deny("Bad Request: failed to get HTTP URL content");
    if (isLocal(new URL(address).hostname)) call.judge.warn("address", `Telegram cannot fetch ${address}`);
    return { fileName: hosted[1].name, bytes: hosted[1].bytes };
  };

  const store = async (call: Call, wanted: Wanted, source: { fileName: string; bytes: Uint8Array }) => {
    checkSize(world, call, wanted.kind, source.bytes.length);
    const { format } = probe(source.bytes);
    if (wanted.kind === "photo") {
      const photo = await files
        .storeOwnPhoto(source.bytes)
        .catch(() =>
          call.judge.refuse("media", "a photo that is no picture", "Bad Request: IMAGE_PROCESS_FAILED"),
        );
      checkSides(call, photo);
      return photo;
    }
    if (wanted.kind === "video" && format !== "mp4")
      call.judge.blame("media", `sendVideo takes MPEG-4, this is ${format}: people would get a plain file`);
    if (wanted.kind === "animation" && format !== "mp4" && format !== "gif")
      call.judge.blame(
        "media",
        `an animation is a GIF or MPEG-4, this is ${format}: people would get a plain file`,
      );
    const thumbnail =
      wanted.thumbnail === undefined
        ? undefined
        : readThumbnail(call, readUpload(call, wanted.thumbnail).bytes);
    return files.storeFile({
      ...wanted,
      thumbnail,
      bytes: source.bytes,
      name: source.fileName,
      mimeType: mimeTypes[format],
    });
  };

  return {
    /** The file a parameter stands for. */
    async read(call: Call, wanted: Wanted): Promise<StoredFile> {
      const { value, kind } = wanted;
      if (value.startsWith("attach://")) {
        if (wanted.isInline)
          call.judge.refuse(
            "media",
            "a new file cannot be uploaded into an inline message",
            "Bad Request: wrong file identifier/HTTP URL specified",
          );
        return store(call, wanted, readUpload(call, value));
      }
      if (/^https?:\/\//.test(value)) return store(call, wanted, fetchFile(call, value));
      const known = world.files.get(value);
      if (!known)
        return call.judge.refuse(
          "file-id",
          `"${value.slice(0, 40)}" is no file id, address or attach://`,
          "Bad Request: wrong file identifier/HTTP URL specified",
        );
      if (known.kind !== kind)
        call.judge.refuse(
          "file-id",
          `the id of a ${known.kind} was sent as ${kind}`,
          `Bad Request: can't use file of type ${known.kind} as ${kind}`,
        );
      return known.kind === "photo"
        ? ([...world.files.values()].find((one) => one.sizes.includes(known) && one.sizes.length > 0) ??
            known)
        : known;
    },

    /** Every uploaded file is named by the parameters. */
    checkUploads(call: Call) {
      const said = JSON.stringify(call.parameters);
      for (const name of call.files.keys())
        if (!said.includes(`attach://${name}"`))
          call.judge.blame("media", `the file "${name}" was uploaded and never named`);
    },
  };
}

/** See `createMediaReader`. */
export type MediaReader = ReturnType<typeof createMediaReader>;

function checkSize(world: World, call: Call, kind: FileKind, size: number) {
  const limit = kind === "photo" ? world.settings.photoLimitBytes : world.settings.uploadLimitBytes;
  if (size === 0) call.judge.refuse("media", "the file is empty", "Bad Request: file must be non-empty");
  if (size > limit)
    call.judge.refuse(
      "media",
      `a ${kind} of ${size} bytes, ${limit} are allowed`,
      kind === "photo" ? "Bad Request: file is too big for a photo" : "Request Entity Too Large",
    );
}

function checkSides(call: Call, { width = 0, height = 0 }: StoredFile) {
  if (width + height > 10_000 || Math.max(width, height) > 20 * Math.min(width, height))
    call.judge.refuse(
      "media",
      `a photo of ${width} × ${height}: at most 10000 in sum, at most 20 to 1`,
      "Bad Request: PHOTO_INVALID_DIMENSIONS",
    );
}

function readThumbnail(call: Call, bytes: Uint8Array): Uint8Array {
  const { format } = probe(bytes);
  if (format !== "jpeg" || bytes.length > 200 * 1024)
    call.judge.blame(
      "media",
      `a thumbnail is a JPEG of at most 200 kB, this is ${format} of ${bytes.length} bytes`,
    );
  return bytes;
}
