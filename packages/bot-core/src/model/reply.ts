import type { Language } from "@koma/messages";

/** What a reply is about; platforms choose colours, icons and layouts by it. */
export type ReplyKind =
  | "match"
  | "uncertain"
  | "none"
  /** A match for adults where such may not be shown: neutral words, and the whole in `privately`. */
  | "adult"
  | "quota"
  | "limit"
  | "busy"
  | "unreadable"
  | "unsupported"
  | "too-large"
  | "address"
  | "offline"
  | "not-ready"
  | "not-allowed"
  | "expired"
  /** A person's key was refused by the API and is gone. */
  | "unlinked"
  /** Several pictures came: `menus` has the choice. */
  | "choice"
  | "list"
  | "credits"
  | "link"
  | "settings"
  | "leak"
  | "text"
  | "failure";

/** An answer in no platform's form: what to say and show, never how. */
export type Reply = {
  kind: ReplyKind;
  /** Only the asker should see it, where the platform can do that. */
  isPrivate: boolean;
  language: Language;
  /** The platform's id of whom it answers. */
  requesterId: string;
  /** The kept result behind it; undefined where there is none. */
  resultId: string | undefined;
  /** One line of plain text. */
  title: string | undefined;
  lines: readonly Line[];
  match: MatchCard | undefined;
  preview: Preview | undefined;
  /** In rows of at most five; platforms may break them. */
  buttons: readonly (readonly Button[])[];
  menus: readonly Menu[];
  /** When asking again makes sense. */
  retryAt: Date | undefined;
  /** The problem may be over soon, so that the same request can succeed: an outage, a time-out. */
  isTemporary?: boolean;
  /** What the asker alone should get besides: a match for adults. Where it cannot be sent, the "show" button gives it. */
  privately: Reply | undefined;
};

/** One line or paragraph; plain text, to be escaped by the platform. */
export type Line = { spans: readonly Span[]; style: LineStyle };

export type LineStyle = "normal" | "heading" | "quiet" | "item";

/** A part of a line. `url` makes it a link; `code` is text to copy, as a link code. */
export type Span = {
  text: string;
  url?: string | undefined;
  style?: "strong" | "code" | undefined;
  /** It stands for this channel, which a platform can mention instead. */
  channelId?: string | undefined;
};

/** One scene of a result, in words. */
export type MatchCard = {
  rank: number;
  count: number;
  title: string;
  /** The other titles, "·" between them; undefined where there is one only. */
  subtitle: string | undefined;
  /** "Episode 3", "Season 2, episode 3"; undefined where unknown. */
  episodeLine: string | undefined;
  /** "12:34 – 12:38". */
  timeLine: string;
  /** "Very likely right (97%)": words by band, and the number. */
  similarityLine: string;
  /** "Mirrored", "The same in 12 episodes", "Searched as …": what else is to say. */
  notes: readonly string[];
  isConfident: boolean;
  isAdult: boolean;
  links: readonly { label: string; url: string }[];
  /** The asker marked the picture as a spoiler: text and preview belong behind such a mark. */
  hasSpoiler: boolean;
  /** What the requester said: this one is right, another one is, this one is wrong (`none`), or nothing yet. */
  confirmation: "this" | "other" | "none" | undefined;
};

/** What shows the scene. The bytes come from the API, at once or later; its addresses expire and stay inside. */
export type Preview = {
  /** What was wished for; where `clip` gives nothing, `still` may. */
  variant: "clip" | "still";
  isMuted: boolean;
  hasSpoiler: boolean;
  /** For people who cannot see it. */
  description: string;
  /** Where anyone can fetch them for a while; absent where the site has no public address. */
  clipUrl?: string | undefined;
  stillUrl?: string | undefined;
  /** Distinguishes previews: the same key means the same bytes, so that a platform may reuse what it has uploaded. */
  key: string;
  /** An MP4 of at most so many bytes; undefined where there is none. Never throws. */
  clip(limitBytes: number): Promise<PreviewFile | undefined>;
  /** A JPEG of at most so many bytes; undefined where there is none. Never throws. */
  still(limitBytes: number): Promise<PreviewFile | undefined>;
};

export type PreviewFile = {
  bytes: Uint8Array;
  /** `scene.mp4`, `scene.jpg`. */
  name: string;
  contentType: "video/mp4" | "image/jpeg";
};

/** What a button is for; platforms choose emoji and colours by it. */
export type ButtonAction =
  | "previous"
  | "next"
  | "right"
  | "wrong"
  /** Shows the candidates of an uncertain result. */
  | "more"
  | "previous-picture"
  | "next-picture"
  /** Gives the asker in private what is hidden here. */
  | "show"
  | "open"
  | "delete"
  | "link"
  | "retry"
  | "forget"
  /** Revokes a pasted API key. */
  | "revoke"
  | "page";

/** A button. It has a `target` for `BotCore.press`, or a `url`. Targets have at most 40 bytes: [A-Za-z0-9._=-]. */
export type Button = {
  action: ButtonAction;
  label: string;
  target: string | undefined;
  url: string | undefined;
  isDisabled: boolean;
  /** It is on: pressed before. */
  isActive: boolean;
};

/**
 * A choice of one, or of channels. Each option's target goes to `BotCore.press`; so a select menu gives the chosen
 * option's target as its value, and buttons work as well. For `channels` the menu's own target goes there, with `values`.
 */
export type Menu = {
  kind: "one" | "channels";
  target: string;
  label: string;
  options: readonly MenuOption[];
  /** `channels`: those chosen now. */
  values: readonly string[];
};

export type MenuOption = {
  target: string;
  label: string;
  description: string | undefined;
  isChosen: boolean;
};

/** What pressing a button or choosing an option leads to. */
export type ActionResult =
  /** The message becomes this. */
  | { kind: "update"; reply: Reply }
  /** The message stays; this goes to whoever pressed, alone. */
  | { kind: "private"; reply: Reply }
  /** A new message, seen by those who see the old one. */
  | { kind: "new"; reply: Reply }
  /** The message goes. */
  | { kind: "delete" }
  /** A short plain notice to whoever pressed (toast, ephemeral). */
  | { kind: "notice"; text: string; isAlert: boolean };
