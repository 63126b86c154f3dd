/** Connecting a Koma account, and letting go of it. */
export const link = {
  title: "Connect your Koma account",
  text: "Open the page, check that it shows this code, and approve. You don't have to type any key or password here.",
  code: "Your code: {{code}}",
  expires: "The code works until {{at, moment}} ({{at, relative}}).",
  waiting: "Waiting for your approval…",
  moved: "Connecting works best in private, so I've sent you a direct message.",
  done: {
    title: "Connected",
    text: "From now on your searches use your own Koma account. You can undo this with {{command.unlink}}.",
  },
  denied: {
    title: "Not connected",
    text: "The request was declined on the page. If that was a mistake, use {{command.link}} again.",
  },
  expired: {
    title: "The code has expired",
    text: "It works for 10 minutes. Use {{command.link}} for a new one.",
  },
  calledOff: {
    title: "Not connected",
    text: "This code was approved after you had disconnected, deleted your data, or connected another way. I've ended its key at once. Use {{command.link}} to connect.",
  },
  already: {
    title: "You are already connected",
    text: "Your searches use your own account. To change it, disconnect with {{command.unlink}} first.",
  },
  since: "Connected since {{at, date}}",
  notLinked: {
    title: "You aren't connected",
    text: "With a free account you get more searches every day. Connect it with {{command.link}}.",
  },
  unlinked: {
    title: "Disconnected",
    text: "I've deleted your key here and ended it at Koma. You search as a guest from now on.",
    textKeyRemains:
      "I've deleted your key here, but I couldn't reach Koma to end it. You can delete it in your account.",
  },
  keyRefused: {
    title: "Your account is no longer connected",
    text: "Koma doesn't accept your key any more; it was probably deleted or has expired. I've removed it here. Connect again with {{command.link}}, or go on as a guest.",
  },
  paste: {
    title: "Use an existing API key",
    label: "Your Koma API key",
    placeholder: "koma_…",
    invalid: "That isn't a valid Koma API key. Please copy it again from your account.",
    notHere: "Please never post a key where others can read it. Use {{command.link}} instead.",
  },
} as const;
