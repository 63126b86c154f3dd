/**
 * The commands: names as Discord shows them (lower case, no spaces, at most 32 characters; Telegram keeps the English
 * ones), descriptions of at most 100 characters, options and choices.
 */
export const command = {
  findMessage: "Find anime scene",
  find: {
    name: "find",
    description: "Find the anime, episode and second of a screenshot",
    image: { name: "image", description: "The picture, GIF or video" },
    url: { name: "url", description: "Or the web address of a picture" },
    preview: {
      name: "preview",
      description: "What to show of the scene",
      clip: "Clip",
      still: "Picture",
      none: "Text only",
    },
    mute: { name: "mute", description: "The clip without sound" },
    crop: { name: "crop", description: "Choose no to search the picture exactly as it is" },
    frame: { name: "frame", description: "Of a GIF or video: how many seconds in" },
    private: { name: "private", description: "Only you see the answer" },
  },
  rankings: {
    name: "rankings",
    description: "The most searched anime",
    period: { name: "period", description: "Of which time" },
  },
  recent: { name: "recent", description: "What others found lately" },
  credits: { name: "credits", description: "How many searches you have left" },
  link: { name: "link", description: "Connect your Koma account" },
  unlink: { name: "unlink", description: "Disconnect your Koma account" },
  settings: {
    name: "settings",
    description: "Language, previews and what I may do here",
    mine: { name: "mine", description: "Your own settings" },
    server: { name: "server", description: "The settings of this server (for those who manage it)" },
    language: { name: "language", description: "The language I answer in" },
    adult: { name: "adult", description: "Show results for adults in age-restricted channels" },
    preview: { name: "preview", description: "What to show of a scene" },
    channel: { name: "channel", description: "Allow or disallow me in a channel" },
    replies: { name: "replies", description: "Who sees my answers" },
    listed: { name: "listed", description: "Whether confirmed searches may appear in the public list" },
  },
  lang: { name: "lang", description: "Choose your language" },
  start: { name: "start", description: "Say hello" },
  help: { name: "help", description: "How to use me" },
  privacy: { name: "privacy", description: "What I keep, and for how long" },
  forget: { name: "forget", description: "Delete everything I know about you" },
} as const;
