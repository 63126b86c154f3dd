import type { Random } from "@koma/testing/drawing";
import { disc, fixed, stroke } from "./svg.ts";

/** Draws an emoji in a square of that size around a point. It does not depend on the installed fonts. */
export function drawEmoji(random: Random, x: number, y: number, size: number): string {
  const draw = random.pick([smile, tears, heart, star, fire, sparkle]);
  const turn = random.between(-20, 20);
  return `<g transform="translate(${fixed(x)} ${fixed(y)}) rotate(${fixed(turn)}) scale(${fixed(size / 100)})">${draw()}</g>`;
}

/** Draws a sticker: an emoji, a speech bubble or a pair of glasses, with the white rim of a cut-out. */
export function drawSticker(random: Random, x: number, y: number, size: number): string {
  if (random.chance(0.6)) return disc(x, y, size * 0.58, "#ffffff") + drawEmoji(random, x, y, size);
  const draw = random.pick([bubble, glasses]);
  return `<g transform="translate(${fixed(x)} ${fixed(y)}) rotate(${fixed(random.between(-15, 15))}) scale(${fixed(size / 100)})">${draw()}</g>`;
}

const face = () => disc(0, 0, 48, "#ffcc22") + disc(-17, -12, 6, "#4a2c00") + disc(17, -12, 6, "#4a2c00");
const smile = () => face() + stroke("M-24 12Q0 38 24 12", 7, "#4a2c00");
const tears = () =>
  disc(0, 0, 48, "#ffcc22") +
  stroke("M-28 -10Q-18 -22 -8 -10M8 -10Q18 -22 28 -10", 6, "#4a2c00") +
  `<path d="M-26 8H26Q20 38 0 38Q-20 38 -26 8Z" fill="#7a2d12"/>` +
  `<path d="M-34 -4Q-52 22 -36 26Q-24 24 -34 -4ZM34 -4Q52 22 36 26Q24 24 34 -4Z" fill="#5ab4f5"/>`;
const heart = () =>
  `<path d="M0 42C-70 -8 -42 -50 -14 -42C-4 -38 0 -30 0 -26C0 -30 4 -38 14 -42C42 -50 70 -8 0 42Z" fill="#e2264d"/>`;
const star = () =>
  `<path d="M0 -48L14 -16L48 -14L21 8L31 42L0 22L-31 42L-21 8L-48 -14L-14 -16Z" fill="#ffc83d" stroke="#d99100" stroke-width="3"/>`;
const fire = () =>
  `<path d="M0 -50C10 -22 40 -12 34 20C30 42 12 48 0 48C-18 48 -34 36 -34 14C-34 0 -24 -8 -20 -22C-10 -16 -8 -10 -6 -4C4 -16 4 -34 0 -50Z" fill="#f4511e"/>` +
  `<path d="M2 0C6 10 18 16 16 30C14 42 4 44 0 44C-10 44 -18 36 -16 26C-14 16 -2 12 2 0Z" fill="#ffca28"/>`;
const sparkle = () =>
  `<path d="M0 -46Q6 -8 44 0Q6 8 0 46Q-6 8 -44 0Q-6 -8 0 -46Z" fill="#ffe066"/><path d="M34 -46Q36 -34 48 -32Q36 -30 34 -18Q32 -30 20 -32Q32 -34 34 -46Z" fill="#ffe066"/>`;
const bubble = () =>
  `<path d="M-48 -34H48V18H-4L-22 44V18H-48Z" fill="#ffffff" stroke="#222222" stroke-width="4"/>` +
  stroke("M-34 -18H34M-34 -4H20", 6, "#444444");
const glasses = () =>
  `<path d="M-56 -14H56V-2H50V16H10V-2H-8V16H-48V-2H-56Z" fill="#111111"/><path d="M-40 -6H-30V4H-40ZM18 -6H28V4H18Z" fill="#ffffff"/>`;
