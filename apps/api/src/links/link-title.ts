import type { ChatPlatform } from "@koma/contract";

const platformNames: Record<ChatPlatform, string> = { discord: "Discord", telegram: "Telegram" };
const titleLength = 64;

/** What the key of a linked account is called: "Discord: Spike", cut to the length of a title. */
export function describeKeyTitle(platform: string, displayName: string): string {
  const name = platform in platformNames ? platformNames[platform as ChatPlatform] : platform;
  return Array.from(`${name}: ${displayName}`).slice(0, titleLength).join("").trim();
}
