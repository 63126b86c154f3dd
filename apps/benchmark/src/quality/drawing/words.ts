import type { Random } from "@koma/testing/drawing";

const latinWords = (
  "the a so when it was really night you know wait what why me never always again home before after train rain summer " +
  "friend sword school magic captain please listen together promise remember nobody everything best scene ever look at this " +
  "episode season opening music animation crying laughing literally masterpiece tonight someone name of show help"
).split(" ");
const japanese = [
  "お前はもう帰ったのか",
  "待って、話を聞いて",
  "明日また会えるよね",
  "この空はどこまで続くの",
  "約束したはずだろう",
  "誰にも言わないで",
  "行くぞ、みんな",
  "本当にありがとう",
] as const;

/** Returns a sentence of at most that many words, and at least half as many. */
export function sentence(random: Random, words: number): string {
  const count = random.whole(Math.ceil(words / 2), words);
  const text = Array.from(
    { length: count },
    () => latinWords[Math.floor(random.next() * latinWords.length)] ?? "",
  ).join(" ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export function japaneseLine(random: Random): string {
  return random.pick(japanese);
}

/** Returns names in the style of network users. */
export function handle(random: Random): string {
  return random.pick(["mika_0231", "old.anime.bot", "sora draws", "K A I T O", "popcorn club", "yuu.ne"]);
}

/** Returns as many words of a text as fit into a width in letter heights, at least the first. */
export function fitting(text: string, widthInLetters: number): string {
  const letters = Math.floor(widthInLetters / 0.62);
  if (text.length <= letters) return text;
  const end = text.lastIndexOf(" ", letters);
  return end > 0 ? text.slice(0, end) : text;
}
