import type { Language } from "@koma/messages";

/** The subject of a reply. Platforms choose colours, icons and layouts by it. */
export type ReplyKind =
  | "match"
  | "uncertain"
  | "none"
  /** An adult match where such matches are not shown: neutral text, and the full reply in `privately`. */
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
  /** The API rejected a person's key, and it was removed. */
  | "unlinked"
  /** The request has several images: one line and one button for each. */
  | "choice"
  | "list"
  | "credits"
  | "link"
  | "settings"
  | "leak"
  | "text"
  | "failure";

/** A platform-independent reply: its content without its presentation. */
export type Reply = {
  kind: ReplyKind;
  /** Only the requester should see it, if the platform supports that. */
  isPrivate: boolean;
  language: Language;
  /** The platform's id of the requester. */
  requesterId: string;
  /** The saved result of the reply; undefined if there is none. */
  resultId: string | undefined;
  /** One line of plain text. */
  title: string | undefined;
  lines: readonly Line[];
  match: MatchCard | undefined;
  preview: Preview | undefined;
  /** The address of the searched image, if the reply shows it. */
  searchedImageUrl?: string | undefined;
  /** Rows of at most five buttons; platforms may split them. */
  buttons: readonly (readonly Button[])[];
  menus: readonly Menu[];
  /** The time from which a retry can succeed. */
  retryAt: Date | undefined;
  /** The problem is possibly temporary, so the same request can succeed later: an outage, a time-out. */
  isTemporary?: boolean;
  /**
   * The person got the same notice within the last minute, about a full queue or a limit. A platform does not
   * send it below a message: it reacts to the message or stays silent. A command needs its reply in any case.
   */
  isRepeatedProblem?: boolean;
  /**
   * An additional reply for the requester alone: an adult match. Where it cannot be sent, the "show" button
   * returns it.
   */
  privately: Reply | undefined;
};

/** One line or paragraph of plain text, which the platform escapes. */
export type Line = { spans: readonly Span[]; style: LineStyle };

export type LineStyle = "normal" | "heading" | "quiet" | "item";

/** A part of a line. `url` makes it a link; `code` is text to copy, such as a link code. */
export type Span = {
  text: string;
  url?: string | undefined;
  style?: "strong" | "code" | undefined;
  /** Hidden behind a spoiler mark. */
  isHidden?: boolean | undefined;
  /** The channel that the text names, which a platform can mention instead. */
  channelId?: string | undefined;
};

/** One scene of a result as text. */
export type MatchCard = {
  rank: number;
  count: number;
  title: string;
  /** The other titles, separated by "·"; undefined if there is only one. */
  subtitle: string | undefined;
  /** "TV series · 1998 · Sunrise"; undefined if unknown. */
  workLine: string | undefined;
  /** The public address of the anime's cover; absent without one, and of a spoiler. */
  coverUrl?: string | undefined;
  /** "Episode 3", "Season 2, episode 3"; undefined if unknown. */
  episodeLine: string | undefined;
  /** "12:34 – 12:38". */
  timeLine: string;
  /** "Very likely right (97%)": the range in words, and the number. */
  similarityLine: string;
  /** Further facts: "Mirrored", "The same in 12 episodes", "Searched as …". */
  notes: readonly string[];
  isConfident: boolean;
  isAdult: boolean;
  links: readonly { label: string; url: string }[];
  /** The requester marked the image as a spoiler: text and preview are hidden behind a spoiler mark. */
  hasSpoiler: boolean;
  /**
   * The requester's feedback: this match is right, another one is, this one is wrong (`none`), or none yet.
   */
  confirmation: "this" | "other" | "none" | undefined;
};

/**
 * The still or clip of a scene. The bytes come from the API on demand; its addresses expire and are not
 * exposed.
 */
export type Preview = {
  /** The requested variant. If `clip` returns nothing, `still` may return an image. */
  variant: "clip" | "still";
  isMuted: boolean;
  hasSpoiler: boolean;
  /** The text alternative of the preview. */
  description: string;
  /** A public address, valid for a while; absent if the site has no public address. */
  clipUrl?: string | undefined;
  stillUrl?: string | undefined;
  /**
   * Identifies the content: previews with the same key have the same bytes, so a platform can reuse its
   * upload.
   */
  key: string;
  /** An MP4 of at most `limitBytes`; undefined if there is none. Never throws. */
  clip(limitBytes: number): Promise<PreviewFile | undefined>;
  /** A JPEG of at most `limitBytes`; undefined if there is none. Never throws. */
  still(limitBytes: number): Promise<PreviewFile | undefined>;
};

export type PreviewFile = {
  bytes: Uint8Array;
  /** `scene.mp4`, `scene.jpg`. */
  name: string;
  contentType: "video/mp4" | "image/jpeg";
};

/** The purpose of a button. Platforms choose emoji and colours by it. */
export type ButtonAction =
  | "previous"
  | "next"
  | "right"
  | "wrong"
  /** The platform asks what the image shows, for `BotCore.correct`. */
  | "correct"
  /** Shows the candidates of an uncertain result. */
  | "more"
  /** Lists the occurrences of the shot. */
  | "occurrences"
  | "previous-picture"
  | "next-picture"
  /** Opens one of several images. */
  | "image"
  /** Lists several images again. */
  | "images"
  /** Sends the requester the hidden content privately. */
  | "show"
  | "open"
  | "delete"
  | "link"
  | "retry"
  /** Posts a private result for all. */
  | "share"
  | "forget"
  /** Revokes a pasted API key. */
  | "revoke"
  | "page";

/**
 * A button with a `target` for `BotCore.runAction`, or with a `url`. Targets have at most 40 bytes:
 * [A-Za-z0-9._=-].
 */
export type Button = {
  action: ButtonAction;
  label: string;
  target: string | undefined;
  url: string | undefined;
  isDisabled: boolean;
  /** The button's choice is active. */
  isActive: boolean;
};

/**
 * A choice of one option, or of channels or roles. Each option's target is passed to `BotCore.runAction`, so a
 * select menu sends the chosen option's target as its value, and buttons work as well. For `channels` and
 * `roles` the menu's own target is passed, with `values`.
 */
export type Menu = {
  kind: "one" | "channels" | "roles";
  target: string;
  label: string;
  options: readonly MenuOption[];
  /** `channels` and `roles`: the current selection. */
  values: readonly string[];
};

export type MenuOption = {
  target: string;
  label: string;
  description: string | undefined;
  isChosen: boolean;
};

/** The result of a button or an option. */
export type ActionResult =
  /** The reply replaces the message. */
  | { kind: "update"; reply: Reply }
  /** The message stays; the reply is sent privately to the person who used the button. */
  | { kind: "private"; reply: Reply }
  /** A new message that all can see. `rest` replaces the message of the button, which is deleted without it. */
  | { kind: "publish"; reply: Reply; rest?: Reply }
  /** The message is deleted. */
  | { kind: "delete" }
  /** A short plain notice to the person who used the button (toast, ephemeral). */
  | { kind: "notice"; text: string; isAlert: boolean };
