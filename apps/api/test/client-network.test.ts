import { expect, test } from "vitest";
import { readClientAddress, toClientAddress, toClientNetwork } from "../src/client-network.ts";

test("an IPv4 address is one guest, mapped or not", () => {
  expect(toClientNetwork("203.0.113.7")).toBe("203.0.113.7");
  expect(toClientNetwork("::ffff:203.0.113.7")).toBe("203.0.113.7");
  expect(toClientNetwork("::ffff:cb00:7107")).toBe("203.0.113.7");
});

test("the /64 of an IPv6 address is one guest", () => {
  const network = toClientNetwork("2001:db8:1:2::1");
  expect(toClientNetwork("2001:db8:1:2:ffff:ffff:ffff:ffff")).toBe(network);
  expect(toClientNetwork("2001:db8:1:3::1")).not.toBe(network);
});

test("a port that a proxy appends creates no other guest", () => {
  expect(toClientNetwork("203.0.113.7:50123")).toBe("203.0.113.7");
  expect(toClientNetwork("[2001:db8:1:2::1]:50123")).toBe(toClientNetwork("2001:db8:1:2::9"));
  expect(toClientNetwork("::1")).not.toBe(toClientNetwork("2001:db8::1"));
});

test("toClientAddress removes port, zone and mapping", () => {
  const seen = ["203.0.113.7:50123", "::ffff:203.0.113.7", "[2001:db8::1]:50123", "fe80::1%eth0", "unknown"];
  expect(seen.map(toClientAddress)).toEqual([
    ...["203.0.113.7", "203.0.113.7", "2001:db8::1", "fe80::1", "unknown"],
  ]);
});

test("a forwarded value that is no address is skipped for the nearest valid hop", () => {
  const seen = (...ips: string[]) => readClientAddress({ ip: ips.at(-1) ?? "", ips });
  expect(seen("127.0.0.1", "203.0.113.7:50123")).toBe("203.0.113.7");
  expect(seen("127.0.0.1", "10.0.0.1", "unknown")).toBe("10.0.0.1");
  expect(seen("127.0.0.1", "x".repeat(5000))).toBe("127.0.0.1");
  expect(readClientAddress({ ip: "203.0.113.7" })).toBe("203.0.113.7");
});
