import type { Chat, Person } from "../model/request.ts";
import type { Album } from "./albums.ts";

/** The reader, the chat, and further facts for showing a result. */
export type ResultView = {
  person: Person;
  chat: Chat;
  isPrivate: boolean;
  /**
   * Only the requester can see the message that shows the result. Unlike `isPrivate` it also describes
   * existing messages.
   */
  isAlone?: boolean | undefined;
  album?: Album | undefined;
  /** The image was searched before. */
  isRepeated?: boolean | undefined;
  /** The API returned the result for this request, so its matches are current. */
  isNew?: boolean | undefined;
  /** The requester just rejected another candidate. */
  isAfterRejection?: boolean | undefined;
  /** The requester may post the result for all. */
  canShare?: boolean | undefined;
};
