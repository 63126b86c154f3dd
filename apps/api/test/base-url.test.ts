import { expect, test } from "vitest";
import { stripPrefix, toBaseUrl } from "../src/base-url.ts";

test("toBaseUrl formats a listening address for a client", () => {
  expect(toBaseUrl("127.0.0.1", 3000)).toBe("http://127.0.0.1:3000");
  expect(toBaseUrl("0.0.0.0", 80)).toBe("http://localhost:80");
  expect(toBaseUrl("::1", 3000)).toBe("http://[::1]:3000");
});

test.each([
  ["/koma/api/anime?x=1", "/koma", "/api/anime?x=1"],
  ["/api/anime", "/koma", "/api/anime"],
  ["/komodo/api/anime", "/koma", "/komodo/api/anime"],
  ["/api/anime/quota", "/api", "/api/anime/quota"],
  ["/api/api/anime/quota", "/api", "/api/anime/quota"],
  ["/koma/openapi.json", "/koma", "/openapi.json"],
  ["/koma/keys?x=1", "/koma", "/keys?x=1"],
  ["/koma/mcp", "/koma", "/mcp"],
  ["/koma/unknown", "/koma", "/koma/unknown"],
  ["/koma/apiary", "/koma", "/koma/apiary"],
  ["/healthz", "", "/healthz"],
])("%s under the prefix '%s' is %s", (input, prefix, expected) => {
  expect(stripPrefix(input, prefix)).toBe(expected);
});
