import type { ChatPlatform } from "@koma/contract";

const platformNames: Record<ChatPlatform, string> = { discord: "Discord", telegram: "Telegram" };
const titleLength = 64;

/** The title of a linked account's key: "Discord: Spike", truncated to the maximum length. */
export function describeKeyTitle(platform: string, displayName: string): string {
  const name = platform in platformNames ? platformNames[platform as ChatPlatform] : platform;
  return Array.from(`${name}: ${displayName}`).slice(0, titleLength).join("").trim();
}
