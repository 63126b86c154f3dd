import { expect, test } from "vitest";
import { isAmong, isPublicAddress } from "../src/public-address.ts";

// One address of each range of the IANA special-purpose registries, and forms that lead to an IPv4 address.
const special = [
  "0.0.0.0",
  "0.1.2.3",
  "10.0.0.1",
  "100.64.0.1",
  "127.0.0.1",
  "127.255.255.254",
  "169.254.169.254",
  "172.16.0.1",
  "192.0.0.1",
  "192.0.2.1",
  "192.88.99.1",
  "192.168.1.1",
  "198.18.0.1",
  "198.51.100.1",
  "203.0.113.1",
  "224.0.0.1",
  "240.0.0.1",
  "255.255.255.255",
  "::",
  "::1",
  "::7f00:1",
  "::ffff:127.0.0.1",
  "::ffff:8.8.8.8",
  "::ffff:0:7f00:1",
  "64:ff9b::7f00:1",
  "64:ff9b:1::1",
  "100::1",
  "2001::1",
  "2001:db8::1",
  "2002:7f00:1::1",
  "3fff::1",
  "4000::1",
  "fc00::1",
  "fd12:3456::1",
  "fe80::1",
  "fe80::1%eth0",
  "fec0::1",
  "ff02::1",
  "not an address",
  "",
];

test.each(special)("%s is not public", (address) => {
  expect(isPublicAddress(address)).toBe(false);
});

test.each(["1.1.1.1", "8.8.8.8", "93.184.216.34", "2606:4700:4700::1111", "2a00:1450:4001::1"])(
  "%s is public",
  (address) => {
    expect(isPublicAddress(address)).toBe(true);
  },
);

test.each([
  ["2a00:1450:4001::99", "2a00:1450:4001:0:0:0:0:99"],
  ["::ffff:93.184.216.99", "93.184.216.99"],
  ["fe80::1", "fe80::1%eth0"],
  ["93.184.216.99", "93.184.216.99"],
])("%s is %s", (address, other) => {
  expect(isAmong(address, ["1.1.1.1", other])).toBe(true);
  expect(isAmong(address, ["1.1.1.1"])).toBe(false);
});
