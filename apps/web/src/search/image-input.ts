import { signal } from "@preact/signals";
import { notify } from "../state/announce.ts";
import { t } from "../state/language.ts";
import { batchLimit, searchBatch } from "./batch.ts";
import { ImageRefused } from "./prepare-image.ts";
import { refuse, searchAddress, searchImage } from "./searching.ts";
import { sharedFiles } from "./shared-files.ts";

/** True while an image is dragged over the page. */
export const isDragging = signal(false);

/** Accepts images and videos that are dropped anywhere on the page, or pasted. */
export function startImageInput(): void {
  let depth = 0;
  const isMeant = (event: DragEvent) =>
    event.dataTransfer?.types.some((type) => type === "Files" || type === "text/uri-list") === true;
  const end = () => {
    depth = 0;
    isDragging.value = false;
  };
  document.addEventListener("dragenter", (event) => {
    if (!isMeant(event)) return;
    event.preventDefault();
    depth += 1;
    isDragging.value = true;
  });
  document.addEventListener("dragover", (event) => {
    if (!isMeant(event)) return;
    event.preventDefault();
    if (event.dataTransfer) event.dataTransfer.dropEffect = "copy";
  });
  document.addEventListener("dragleave", (event) => {
    if (!isMeant(event)) return;
    depth -= 1;
    if (depth <= 0) end();
  });
  document.addEventListener("drop", (event) => {
    if (!isMeant(event) || event.dataTransfer === null) return;
    event.preventDefault();
    end();
    take(event.dataTransfer);
  });
  document.addEventListener("paste", (event) => {
    const data = event.clipboardData;
    if (data === null) return;
    const isTyping = event.target instanceof Element && event.target.closest("input, textarea") !== null;
    if (isTyping && data.files.length === 0) return;
    if (data.files.length === 0 && !isAddress(data.getData("text/plain"))) return;
    event.preventDefault();
    take(data);
  });
  // The operating system opens files with the installed page. Chromium repeats the last launch after a reload.
  const [entry] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  let isRepeated = entry?.type === "reload";
  window.launchQueue?.setConsumer(async ({ files }) => {
    const isIgnored = isRepeated;
    isRepeated = false;
    if (isIgnored) return;
    searchFiles(await Promise.all(files.map((handle) => handle.getFile())));
  });
}

declare global {
  interface Window {
    /** Only Chromium has it (https://wicg.github.io/web-app-launch/). */
    launchQueue?: {
      setConsumer(take: (launch: { files: readonly FileSystemFileHandle[] }) => Promise<void>): void;
    };
  }
}

/** Whether the text is a web address. */
export function isAddress(text: string): boolean {
  return /^https?:\/\/\S+$/i.test(text.trim()) && URL.canParse(text.trim());
}

/** The first web address in a text, without the punctuation behind it. */
export function findAddress(text: string): string | undefined {
  const found = /https?:\/\/\S+/i.exec(text)?.[0].replace(/[\p{Pe}\p{Pf}.,;:!?"'…。、！？]+$/u, "");
  return found !== undefined && URL.canParse(found) ? found : undefined;
}

/** Searches one image or video, or several one after the other. */
export function searchFiles(files: readonly File[]): void {
  sharedFiles.value = [];
  const queries = files.filter(({ type }) => /^(?:image|video)\//.test(type));
  const [file = files[0]] = queries;
  const leftOut = files.filter((one) => one !== file && !queries.includes(one)).map(({ name }) => name);
  const notes = [
    queries.length > batchLimit && t("web.batch.limit", { count: batchLimit }),
    leftOut.length > 0 && t("web.search.leftOut", { names: leftOut.join(", ") }),
  ].filter((note) => note !== false);
  if (notes.length > 0) notify(notes.join(" "));
  if (queries.length > 1) void searchBatch(queries);
  else if (file !== undefined) void searchImage(file);
}

/** Searches the files, or else the address: an image that was dragged from another page comes as both. */
function take(data: DataTransfer): void {
  const address = (data.getData("text/uri-list") || data.getData("text/plain")).split(/\r?\n/, 1)[0] ?? "";
  if (data.files.length > 0) searchFiles([...data.files]);
  else if (isAddress(address)) void searchAddress(address.trim());
  else refuse(new ImageRefused("noPicture"));
}
