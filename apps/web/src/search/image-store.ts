const prefix = "koma:image:";
const orderKey = "koma:images";
const limit = 5;

/**
 * Saves an image in this browser tab under a name, so that it survives a reload. The tab holds the last few images and
 * discards them when it is closed. An image that does not fit is not saved.
 */
export async function saveImage(name: string, image: Blob): Promise<void> {
  const text = await readDataUrl(image).catch(() => undefined);
  if (text === undefined) return;
  const order = [name, ...readOrder().filter((other) => other !== name)];
  while (order.length > 0) {
    for (const dropped of order.splice(limit)) sessionStorage.removeItem(prefix + dropped);
    try {
      sessionStorage.setItem(prefix + name, text);
      sessionStorage.setItem(orderKey, JSON.stringify(order));
      return;
    } catch {
      // The storage is full: the oldest image makes room.
      const oldest = order.pop();
      if (oldest === undefined || oldest === name) return;
      removeItem(prefix + oldest);
    }
  }
}

/** The image that was saved under a name in this tab. */
export function loadImage(name: string): Blob | undefined {
  try {
    const [, type, data] =
      /^data:([^;,]*);base64,(.+)$/s.exec(sessionStorage.getItem(prefix + name) ?? "") ?? [];
    if (data === undefined) return undefined;
    const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
    return new Blob([bytes], { type: type ?? "" });
  } catch {
    return undefined;
  }
}

/** Deletes a saved image. */
export function removeImage(name: string): void {
  removeItem(prefix + name);
}

/** Deletes all saved images. */
export function removeImages(): void {
  for (const name of readOrder()) removeImage(name);
  removeItem(orderKey);
}

function readOrder(): string[] {
  try {
    const saved: unknown = JSON.parse(sessionStorage.getItem(orderKey) ?? "[]");
    return Array.isArray(saved) ? saved.filter((name) => typeof name === "string") : [];
  } catch {
    return [];
  }
}

function removeItem(key: string): void {
  try {
    sessionStorage.removeItem(key);
  } catch {
    // A browser without storage has saved nothing.
  }
}

async function readDataUrl(image: Blob): Promise<string> {
  return await new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error ?? new Error("The image cannot be read."));
    reader.readAsDataURL(image);
  });
}
