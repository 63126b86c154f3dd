/** How the bots are used. */
export const help = {
  title: "Which anime is this?",
  intro: "Send me a screenshot and I tell you the anime, the episode and the second.",
  hello: "Hello {{name}}. Send me a screenshot from an anime, and I'll find the scene.",
  ways: {
    title: "How to ask",
    direct: "In a private chat with me: just send a picture, a GIF or a video.",
    command: "Anywhere: {{command.find}} with a picture or an address.",
    menu: "On someone's message: open its menu, then Apps, then “{{command.findMessage}}”.",
    mention: "In a channel: mention me together with a picture, or in a reply to one.",
    reply: "In a group: reply to a picture with {{command.find}} or mention me.",
    inline: "In any chat: type my name to share what you found lately.",
  },
  words: {
    title: "Words you can add",
    mute: "mute: the clip without sound",
    nocrop: "nocrop: the picture exactly as it is",
    text: "text: no preview",
  },
  answer: {
    title: "The answer",
    similarity: "The percentage says how likely it is right. If I'm not sure, I say so.",
    buttons: "With “{{right}}” or “{{wrong}}” you tell me how I did.",
  },
  tips: {
    title: "For good results",
    text: "A straight screenshot without borders, text or filters works best. Crops, small pictures and mirror images often work too.",
  },
  limits: {
    title: "How many searches",
    text: "Some are free every day. {{command.credits}} shows what is left, {{command.link}} connects your account.",
  },
  commands: "Commands",
  more: "More: {{command.settings}} · {{command.privacy}} · {{command.forget}}",
} as const;
