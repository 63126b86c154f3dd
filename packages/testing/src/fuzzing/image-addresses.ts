import type { Random } from "../drawing/random.ts";
import { hostileText, mutateText, words } from "./hostile-text.ts";

const hosts = words(
  // The two spaces contain an empty host.
  "127.0.0.1 127.1 0 0.0.0.0 0x7f000001 2130706433 0177.0.0.1 127.0.0.1. １２７.0.0.1 localhost",
  "LOCALHOST. a.localhost [::1] [::] [::ffff:127.0.0.1] [::ffff:7f00:1] [64:ff9b::7f00:1]",
  "[fe80::1%25lo] [fd00::1] [ff02::1] 10.0.0.1 169.254.169.254 172.16.0.1 192.168.0.1 100.64.0.1",
  "224.0.0.1 240.0.0.1 255.255.255.255 198.18.0.1 256.1.1.1 [::1 ::1  . .. - xn-- %31%32%37.0.0.1",
  "a".repeat(300),
);

/**
 * Returns an address for the field `url`. Its host is never public unless a mutation makes it so: the caller
 * isolates the API from other machines.
 */
export function generateImageAddress(random: Random): string {
  const scheme = random.chance(0.8)
    ? random.pick(["http://", "https://"])
    : random.pick([
        "",
        "//",
        "file://",
        "ftp://",
        "gopher://",
        "data:",
        "javascript:",
        "HTTP:",
        "http:\\\\",
        "http:/",
      ]);
  const user = random.chance(0.1) ? random.pick(["user:pass@", "@", ":@", "a@b@"]) : "";
  const port = random.chance(0.3)
    ? random.pick([":80", ":22", ":0", ":65536", ":-1", ":", ":1024", ":443"])
    : "";
  const path = random.chance(0.5)
    ? `/${hostileText(random)}`
    : random.pick(["", "/", "/a.jpg", "?a=b", "#c"]);
  const address = `${scheme}${user}${random.pick(hosts)}${port}${path}`;
  return random.chance(0.3) ? mutateText(random, address) : address;
}
