/** Approving a bot's wish to act for an account, on the web page. */
export const device = {
  title: "Connect a bot",
  intro: "Enter the code that the bot shows you.",
  code: "Code",
  codePlaceholder: "ABCD-EFGH",
  codeInvalid: "A code has eight letters, like WDJB-MJHT.",
  next: "Continue",
  signIn: "Sign in first, so that we know whose account it is. You come back here afterwards.",
  ask: "{{name}} wants to connect",
  text: "If you approve, the bot can search with your credits when this person asks it.",
  platform: "Where",
  chatAccount: "Chat account",
  chatNumber: "Account number",
  bot: "Bot",
  keyTitle: "Name of the key",
  expires: "The code expires {{at, relative}}.",
  warning:
    "Only approve if you asked the bot for this yourself, just now, and it shows exactly this code. The name is what the chat says; anybody can choose one.",
  approve: "Approve",
  deny: "Decline",
  approved: {
    title: "Connected",
    text: "You can close this page and go back to the chat. You can end this at any time under “API keys”.",
  },
  denied: {
    title: "Declined",
    text: "Nothing was connected. You can close this page.",
  },
  unknown: {
    title: "This code doesn't work",
    text: "It may be mistyped, used already or expired. Codes work for 10 minutes. Ask the bot for a new one.",
  },
} as const;
