import { button } from "./button.ts";
import { command } from "./command.ts";
import { credits } from "./credits.ts";
import { error } from "./error.ts";
import { help } from "./help.ts";
import { link } from "./link.ts";
import { privacy } from "./privacy.ts";
import { profile } from "./profile.ts";
import { reply } from "./reply.ts";
import { scene } from "./scene.ts";
import { settings } from "./settings.ts";
import { time } from "./time.ts";

/** What the bots say. */
export const botTexts = {
  ...button,
  ...command,
  ...credits,
  ...error,
  ...help,
  ...link,
  ...privacy,
  ...profile,
  ...reply,
  ...scene,
  ...settings,
  ...time,
};
