/** What the bots answer. The bot says “I”. */
export const reply = {
  searching: "Looking for the scene…",
  queued_one: "I'll look at this after {{count, number}} other picture of yours.",
  queued_other: "I'll look at this after {{count, number}} other pictures of yours.",
  queueFull: {
    title: "One thing at a time",
    text: "You already have several pictures waiting. Please wait for those answers, then send this one again.",
  },
  match: {
    alternatives_one: "There is {{count, number}} more possibility.",
    alternatives_other: "There are {{count, number}} more possibilities.",
  },
  uncertain: {
    title: "I'm not sure about this one",
    text: "I found nothing that fits well enough. The closest scenes may just look similar.",
    shown: "One of the closest scenes. It may just look similar.",
  },
  none: {
    title: "I couldn't find this scene",
    text: "Nothing I know looks like it. It may be fan art, or from a series that I don't have yet.",
  },
  tip: "A straight screenshot without borders, text or filters works best.",
  askedBy: "Asked by {{name}}",
  sameAsBefore: "You asked about this picture before, so this one is free.",
  noPreviewHere: "I can't show a preview here.",
  confirmed: "Marked as right by {{name}}. Thank you.",
  rejected: "Marked as not found by {{name}}. Thank you for telling me.",
  confirmThanks: "Thank you, noted.",
  confirmTaken: "You have already marked this one.",
  confirmLate: "It's too late to rate this answer. That is possible for 24 hours.",
  onlyAsker:
    "Only the person who asked can use these buttons. Send me a picture of your own and you get your own answer.",
  gone: "This answer is too old to use. Send me the picture again.",
  deleted: "Deleted.",
  deletedByAsker: "{{name}} deleted this answer.",
  choosePicture: {
    title_one: "There is {{count, number}} picture here",
    title_other: "There are {{count, number}} pictures here",
    text: "Which one shall I look for?",
    placeholder: "Choose a picture",
    option: "Picture {{number, number}}",
  },
  picturesTogether: "Picture {{number, number}} of {{total, number}}",
  noPicture: {
    title: "I need a picture",
    text: "Send me a screenshot, use {{command.find}} with one, or mention me in a reply to one.",
    inMessage: "There is no picture in this message.",
    inReply: "There is no picture in the message you replied to.",
    inCommand: "Add a picture or an address to the command.",
    notShown: "Discord doesn't show me the message you replied to.",
  },
  unsupported: {
    title: "I can't read this file",
    text: "Pictures work (JPEG, PNG, WebP, GIF, BMP, AVIF, TIFF), and so do videos.",
  },
  notAPicture: {
    title: "This isn't a picture",
    text: "Whatever its name says, there is no picture inside. Please send a screenshot.",
  },
  tooLarge: {
    title: "This file is too large for me",
    text: "I can take up to {{limit, number}} MB. A screenshot will do.",
  },
  downloadFailed: {
    title: "I couldn't get the picture",
    text: "It may have been deleted. Please send it again.",
  },
  unreadableVideo: {
    title: "I can't open this video",
    text: "Please send a screenshot of the scene.",
  },
  guestLimit: {
    title: "Your free searches for today are used up",
    text: "Connect a free Koma account with {{command.link}} to get more every day.",
  },
  creditsGone: {
    title: "Your credits are used up",
    text: "New free credits arrive every day at midnight.",
    buy: "You can also buy some on the website.",
  },
  notFound: {
    title: "There is nothing here any more",
    text: "It may have been deleted or have expired.",
  },
  blocked: {
    title: "I'm not allowed to search for you",
    text: "Whoever runs this service has ruled that out. If it's a mistake, please ask them.",
  },
  adultElsewhere: {
    title: "I can't show this answer here",
    text: "The best match is for adults. I only show those in age-restricted channels and direct messages.",
    private: "Only you can see this, because the best match is for adults.",
    sentPrivately: "I've sent you the answer in private.",
    writeToMe: "Write to me directly and send the picture there.",
    switchedOff: "Results for adults are switched off here.",
  },
  notHere: {
    title: "I don't answer in this channel",
    text: "You can ask me here instead: {{places}}",
    textNowhere: "Send me your picture in a direct message.",
  },
  missingPermission: {
    title: "I'm missing a permission here",
    text: "I can't do this without: {{permissions, list}}. A moderator can grant that.",
    view: "see the channel",
    send: "send messages",
    embed: "embed links",
    attach: "attach files",
    history: "read older messages",
    manage: "delete messages",
  },
  privateClosed:
    "I can't write to you directly. Please allow direct messages from this server, or write to me first.",
  sentPrivately: "I've sent you a direct message.",
  forYouAlone: "That is for you alone. Open our private chat with the button, and I'll tell you there.",
  smallPreviewOnly:
    "This file is over {{limit, number}} MB, so I only looked at its small preview. A screenshot works better.",
  leakedKey: {
    title: "There was an API key in your message",
    textDeleted:
      "I deleted the message right away, but someone may have seen it. Please delete that key in your Koma account and create a new one.",
    textNotDeleted:
      "I'm not allowed to delete the message. Please delete it now, then delete that key in your Koma account and create a new one.",
    link: "To connect your account, use {{command.link}}. You never have to type a key for that.",
  },
  rankings: {
    title: "Most searched anime",
    entry: "{{rank, number}}. {{anime}}",
    searches_one: "{{count, number}} search",
    searches_other: "{{count, number}} searches",
    empty: "Nobody has found anything in this period yet.",
    period: {
      daily: "Today",
      weekly: "Last 7 days",
      monthly: "Last 30 days",
      yearly: "Last 365 days",
      all: "All time",
    },
  },
  recent: {
    title: "Recently found",
    when: "{{at, relative}}",
    empty: "Nobody has confirmed a search yet.",
  },
  inline: {
    empty: "You haven't found anything lately",
    start: "Find a scene",
    description: "{{episode}} · {{at, time}}",
  },
  page: "Page {{page, number}} of {{total, number}}",
  oops: "That didn't work. Please try again in a moment.",
} as const;
