import type { ChatPlatform } from "@koma/contract";

const platformNames: Record<ChatPlatform, string> = { discord: "Discord", telegram: "Telegram" };
const titleLength = 64;

/** What the key of a linked account is called: "Discord: Spike", cut to the length of a title. */
export function describeKeyTitle(platform: string, displayName: string): string {
  const name = platform in platformNames ? platformNames[platform as ChatPlatform] : platform;
  return Array.from(`${name}: ${displayName}`).slice(0, titleLength).join("").trim();
}

/** A name without the invisible characters that turn the direction of a text, and so make it read as another. */
export function straighten(displayName: string): string {
  return displayName.replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "").trim();
}
