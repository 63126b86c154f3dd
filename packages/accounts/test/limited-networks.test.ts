import { expect, test } from "vitest";
import { listLimitedNetworks } from "../src/limited-networks.ts";

test("an IPv6 /64 counts for its /56 and its /48 as well", () => {
  const expected = [
    { network: "20010db8000112/56", times: 4 },
    { network: "20010db80001/48", times: 8 },
  ];
  const own = "20010db800011234/64";
  expect(listLimitedNetworks(own)).toEqual([{ network: own, times: 1 }, ...expected]);
  const written = "2001:0db8:0001:1234:0000:0000:0000:0000";
  expect(listLimitedNetworks(written)).toEqual([{ network: written, times: 1 }, ...expected]);
  expect(listLimitedNetworks(own, { siteTimes: 20 }).at(-1)).toEqual({
    network: "20010db80001/48",
    times: 20,
  });
});

test("an IPv4 address and other clients count alone", () => {
  for (const network of ["203.0.113.7", "nowhere", "Zm9v_hash-of-a-chat-user"]) {
    expect(listLimitedNetworks(network)).toEqual([{ network, times: 1 }]);
  }
});
