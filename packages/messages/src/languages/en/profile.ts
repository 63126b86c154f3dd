/** How the bots introduce themselves in their profiles. */
export const profile = {
  name: "Koma · anime scene finder",
  short: "Send me an anime screenshot. I'll find the series, the episode and the second.",
  long: "Which anime is this? Send me a screenshot, a GIF or a short video, and I'll tell you the series, the episode and the second, with a preview of the scene. If I'm not sure, I say so. Works in groups too. Your pictures are never stored.",
} as const;
