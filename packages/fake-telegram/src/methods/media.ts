import { formatOf } from "@koma/fake-chat";
import type { Call } from "../http/call.ts";
import { deny } from "../http/problems.ts";
import { limits } from "../state/defaults.ts";
import type { FakeState } from "../state/fake-state.ts";
import type { Files } from "../state/files.ts";
import type { FileKind, StoredFile } from "../types.ts";

/** The requested kind of a file; inline messages accept no new files. */
type MediaRequest = { kind: FileKind; value: string; isInline?: boolean };

/** Reads the files of a call: uploaded with it, by id, or from an address. */
export function createMediaReader(state: FakeState, files: Files) {
  const readUpload = (call: Call, value: string) => {
    const name = value.slice("attach://".length);
    const file = call.files.get(name);
    if (!file) return call.reject.refuse("media", `${value} names no file of this call`);
    return file;
  };

  const store = async (
    call: Call,
    expected: MediaRequest,
    source: { fileName: string; bytes: Uint8Array },
  ) => {
    checkSize(call, expected.kind, source.bytes.length);
    const format = formatOf(source.bytes);
    if (expected.kind === "photo") {
      const photo = await files
        .storeOwnPhoto(source.bytes)
        .catch(() => call.reject.refuse("media", "a photo that is no image"));
      checkSides(call, photo);
      return photo;
    }
    if (expected.kind === "video" && format !== "mp4")
      call.reject.blame(
        "media",
        `sendVideo requires MPEG-4, this is ${format}: users would get a plain file`,
      );
    if (expected.kind === "animation" && format !== "mp4" && format !== "gif")
      call.reject.blame(
        "media",
        `an animation is a GIF or MPEG-4, this is ${format}: users would get a plain file`,
      );
    return files.storeFile({ kind: expected.kind, bytes: source.bytes, name: source.fileName });
  };

  return {
    /** The file that a parameter references. */
    async read(call: Call, expected: MediaRequest): Promise<StoredFile> {
      const { value, kind } = expected;
      if (value.startsWith("attach://")) {
        if (expected.isInline)
          call.reject.refuse("media", "a new file cannot be uploaded into an inline message");
        return store(call, expected, readUpload(call, value));
      }
      if (/^https?:\/\//.test(value)) return deny("Bad Request: failed to get HTTP URL content");
      const known = state.files.get(value);
      if (!known)
        return call.reject.refuse("file-id", `"${value.slice(0, 40)}" is no file id, address or attach://`);
      if (known.kind !== kind) call.reject.refuse("file-id", `the id of a ${known.kind} was sent as ${kind}`);
      return known.kind === "photo"
        ? ([...state.files.values()].find((one) => one.sizes.includes(known) && one.sizes.length > 0) ??
            known)
        : known;
    },

    /** Every uploaded file must be referenced by a parameter. */
    checkUploads(call: Call) {
      const text = JSON.stringify(call.parameters);
      for (const name of call.files.keys())
        if (!text.includes(`attach://${name}"`))
          call.reject.blame("media", `the file "${name}" was uploaded and never referenced`);
    },
  };
}

/** See `createMediaReader`. */
export type MediaReader = ReturnType<typeof createMediaReader>;

function checkSize(call: Call, kind: FileKind, size: number) {
  const limit = kind === "photo" ? limits.photoBytes : limits.uploadBytes;
  if (size === 0) call.reject.refuse("media", "the file is empty");
  if (size > limit) call.reject.refuse("media", `a ${kind} of ${size} bytes, ${limit} are allowed`);
}

function checkSides(call: Call, { width = 0, height = 0 }: StoredFile) {
  if (width + height > 10_000 || Math.max(width, height) > 20 * Math.min(width, height))
    call.reject.refuse("media", `a photo of ${width} × ${height}: at most 10000 in sum, at most 20 to 1`);
}
