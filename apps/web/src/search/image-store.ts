const prefix = "koma:image:";
const orderKey = "koma:images";
const limit = 5;
/** Browsers store about 5 million characters per tab. */
const longestText = 4_000_000;
/** The images since the last reload, which may be larger than the storage. */
const recent = new Map<string, Blob>();

/**
 * Saves an image or a video in this browser tab under a name, so that it survives a reload. The tab holds the
 * last few and discards them when it is closed. One that does not fit is saved until the next reload.
 */
export async function saveImage(name: string, image: Blob): Promise<void> {
  recent.delete(name);
  recent.set(name, image);
  const [oldest] = recent.keys();
  if (recent.size > limit && oldest !== undefined) recent.delete(oldest);
  const text = await readDataUrl(image).catch(() => undefined);
  if (text === undefined || text.length > longestText) return;
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
  const image = recent.get(name);
  if (image !== undefined) return image;
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
  recent.delete(name);
  removeItem(prefix + name);
}

/** Deletes all saved images. */
export function removeImages(): void {
  for (const name of [...recent.keys(), ...readOrder()]) removeImage(name);
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
