import type { ReplyKind } from "@koma/bot-core";

const green = 0x3ba55d;
const amber = 0xf0b232;
const grey = 0x80848e;
const red = 0xda373c;
const blue = 0x5865f2;

const colours: Record<ReplyKind, number> = {
  match: green,
  uncertain: amber,
  none: grey,
  adult: amber,
  choice: blue,
  quota: amber,
  limit: amber,
  busy: amber,
  offline: red,
  "not-ready": amber,
  failure: red,
  unreadable: red,
  unsupported: red,
  "too-large": red,
  address: red,
  "not-allowed": grey,
  expired: grey,
  unlinked: amber,
  leak: red,
  list: blue,
  credits: blue,
  link: blue,
  settings: blue,
  text: blue,
};

/** The colour of a card's edge: found, uncertain, wrong, or information. */
export function colourOf(kind: ReplyKind): number {
  return colours[kind];
}
