import { readFile } from "node:fs/promises";

const systemFile = process.platform === "win32" ? "C:\\Windows\\System32\\drivers\\etc\\hosts" : "/etc/hosts";

/** True if the hosts file of this machine (hosts(5)) contains the name. */
export async function isHostsName(hostname: string, file: string = systemFile): Promise<boolean> {
  const text = (await readFile(file, "utf8").catch(() => "")).toLowerCase();
  const name = hostname.toLowerCase().replace(/\.$/, "");
  // Skips parsing where possible: block lists in this format have a hundred thousand names.
  if (name === "" || !text.includes(name)) return false;
  return text.split("\n").some((line) => {
    const [, ...names] = line.replace(/#.*/, "").trim().split(/\s+/);
    return names.some((listed) => listed.replace(/\.$/, "") === name);
  });
}
