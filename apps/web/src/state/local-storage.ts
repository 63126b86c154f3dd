const prefix = "koma:";

/** Saves a text on this device; undefined deletes it. Does nothing if the browser has no storage. */
export function save(name: string, text: string | undefined): void {
  try {
    if (text === undefined) localStorage.removeItem(prefix + name);
    else localStorage.setItem(prefix + name, text);
  } catch {
    // The storage is full or disabled: the page works without it.
  }
}

/** A text that was saved on this device. */
export function load(name: string): string | undefined {
  try {
    return localStorage.getItem(prefix + name) ?? undefined;
  } catch {
    return undefined;
  }
}
