import { asObject, asText, formatOf, type Json } from "@koma/fake-chat";
import { type Call, deny } from "../http/call.ts";
import { readKeyboard } from "../rules/keyboard-rules.ts";
import { caption, inlineText, messageText, readText } from "../rules/text-rules.ts";
import { type Content, createContent, type FileKind, type StoredFile } from "../state/content.ts";
import { limits } from "../state/defaults.ts";
import type { FakeState } from "../state/fake-state.ts";
import type { Files } from "../state/files.ts";

/** The requested kind of a file and its reference; inline messages accept no new files. */
type MediaRequest = { kind: FileKind; value: string; isInline?: boolean };

/** Parses the content of a message from the parameters of a call. */
export function createContents(state: FakeState, files: Files) {
  const { username } = state.settings;

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

  /** The file that a parameter references. */
  const readFile = async (call: Call, expected: MediaRequest): Promise<StoredFile> => {
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
      ? ([...state.files.values()].find((one) => one.sizes.includes(known) && one.sizes.length > 0) ?? known)
      : known;
  };

  const keyboardOf = (call: Call, markup: unknown) => readKeyboard(call.reject, username, markup);

  const captionOf = (call: Call, params: Json): Partial<Content> => ({
    ...readText(call.reject, username, caption, params),
    hasSpoiler: params.has_spoiler === true,
  });

  return {
    keyboardOf,
    captionOf,

    /** A text message. */
    readText(call: Call, params: Json): Content {
      return createContent({
        ...readText(call.reject, username, messageText, params),
        keyboard: keyboardOf(call, params.reply_markup),
        linkPreview: asObject(params.link_preview_options),
      });
    },

    /**
     * A file with its caption: `params` are the parameters, or one InputMedia; `value` references the file.
     */
    async readMedia(call: Call, params: Json, expected: MediaRequest): Promise<Content> {
      const content = createContent({
        ...captionOf(call, params),
        media: await readFile(call, expected),
        keyboard: keyboardOf(call, params.reply_markup),
      });
      checkUploads(call);
      return content;
    },

    /** The message content of an inline result or a guest reply. */
    async readResult(call: Call, result: Json): Promise<Content> {
      const content = asObject(result.input_message_content);
      const keyboard = keyboardOf(call, result.reply_markup);
      if (content) {
        if (content.message_text === undefined)
          return call.reject.refuse("inline", "the fake supports only texts and files");
        return {
          ...createContent(readText(call.reject, username, inlineText, content)),
          keyboard,
          linkPreview: asObject(content.link_preview_options),
        };
      }
      const source = sources.find(({ field }) => typeof result[field] === "string");
      if (!source)
        return call.reject.refuse(
          "inline",
          `a result of type ${String(result.type)} has no content that the fake supports`,
        );
      const value = asText(result[source.field]) ?? "";
      const file = await readFile(call, { kind: source.kind, value, isInline: true });
      return createContent({ ...captionOf(call, result), media: file, keyboard });
    },
  };
}

/** See `createContents`. */
export type Contents = ReturnType<typeof createContents>;

/** Every uploaded file must be referenced by a parameter. */
function checkUploads(call: Call) {
  const text = JSON.stringify(call.parameters);
  for (const name of call.files.keys())
    if (!text.includes(`attach://${name}"`))
      call.reject.blame("media", `the file "${name}" was uploaded and never referenced`);
}

function checkSize(call: Call, kind: FileKind, size: number) {
  const limit = kind === "photo" ? limits.photoBytes : limits.uploadBytes;
  if (size === 0) call.reject.refuse("media", "the file is empty");
  if (size > limit) call.reject.refuse("media", `a ${kind} of ${size} bytes, ${limit} are allowed`);
}

function checkSides(call: Call, { width = 0, height = 0 }: StoredFile) {
  if (width + height > 10_000 || Math.max(width, height) > 20 * Math.min(width, height))
    call.reject.refuse("media", `a photo of ${width} × ${height}: at most 10000 in sum, at most 20 to 1`);
}

const sources: readonly { field: string; kind: FileKind }[] = [
  ["photo", "photo"],
  ["video", "video"],
  ["mpeg4", "animation"],
  ["gif", "animation"],
].flatMap(([name, kind]) =>
  ["file_id", "url"].map((ending) => ({ field: `${name}_${ending}`, kind: kind as FileKind })),
);
