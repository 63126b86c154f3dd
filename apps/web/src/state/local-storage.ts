const prefix = "koma:";

/** Keeps a text on this device; undefined forgets it. Where the browser keeps nothing, nothing happens. */
export function save(name: string, text: string | undefined): void {
  try {
    if (text === undefined) localStorage.removeItem(prefix + name);
    else localStorage.setItem(prefix + name, text);
  } catch {
    // Private windows and full disks: the page works all the same.
  }
}

/** A text that was kept on this device. */
export function load(name: string): string | undefined {
  try {
    return localStorage.getItem(prefix + name) ?? undefined;
  } catch {
    return undefined;
  }
}
