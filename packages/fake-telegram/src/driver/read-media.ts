import { mimeTypeOf } from "@koma/fake-chat";
import type { Files, NewFile } from "../state/files.ts";
import type { FileKind, StoredFile } from "../state/stored.ts";
import type { OwnFile, Written } from "../types.ts";

/** One file of an album, or of a message. */
export type Item = Pick<Written, "photo" | "video" | "document" | "text" | "hasSpoiler">;

/** A user's file in Telegram's form; undefined if there is none. */
export async function readMedia(files: Files, written: Written | Item): Promise<StoredFile | undefined> {
  const { photo } = written;
  if (photo)
    return photo instanceof Uint8Array ? files.storePhoto(photo) : files.storePhoto(photo.bytes, photo.size);
  const kinds: readonly (readonly [FileKind, OwnFile | undefined])[] = [
    ["document", written.document],
    ["video", written.video],
    ...("animation" in written ? ([["animation", written.animation]] as const) : []),
    ...("videoNote" in written ? ([["video_note", written.videoNote]] as const) : []),
    ...("voice" in written ? ([["voice", written.voice]] as const) : []),
  ];
  const [kind, file] = kinds.find(([, one]) => one !== undefined) ?? [];
  if (kind && file) return files.storeFile(describeNew(kind, file));
  const sticker = "sticker" in written ? written.sticker : undefined;
  if (!sticker) return undefined;
  const marks = {
    isAnimated: sticker.kind === "animated",
    isVideo: sticker.kind === "video",
    emoji: sticker.emoji,
  };
  return files.storeFile({
    ...describeNew("sticker", sticker),
    width: sticker.width ?? 512,
    height: sticker.height ?? 512,
    sticker: marks,
  });
}

function describeNew(kind: FileKind, file: OwnFile): NewFile {
  const name = file.name ?? defaultNames[kind];
  const mimeType = file.mimeType ?? mimeTypeOf(name ?? "");
  return { ...file, kind, name, mimeType };
}

const defaultNames: Readonly<Partial<Record<FileKind, string>>> = {
  document: "file.bin",
  video: "video.mp4",
  animation: "animation.mp4",
};
