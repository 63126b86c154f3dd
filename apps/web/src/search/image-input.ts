import { signal } from "@preact/signals";
import { NoImageError } from "./no-image-error.ts";
import { refuse, searchAddress, searchImage } from "./searching.ts";

/** True while something is dragged over the page. */
export const isDragging = signal(false);

/** Takes pictures that are dropped anywhere on the page, or pasted. */
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
}

/** Is it the address of something on the web? */
export function isAddress(text: string): boolean {
  return /^https?:\/\/\S+$/i.test(text.trim()) && URL.canParse(text.trim());
}

/** Searches what came: a file before an address (a picture dragged from another page brings both). */
function take(data: DataTransfer): void {
  const files = [...data.files];
  const file = files.find(({ type }) => type.startsWith("image/")) ?? files[0];
  const address = (data.getData("text/uri-list") || data.getData("text/plain")).split(/\r?\n/, 1)[0] ?? "";
  if (file !== undefined) void searchImage(file);
  else if (isAddress(address)) void searchAddress(address.trim());
  else refuse(new NoImageError());
}
