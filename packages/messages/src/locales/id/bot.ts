import button from "./button.json" with { type: "json" };
import command from "./command.json" with { type: "json" };
import credits from "./credits.json" with { type: "json" };
import error from "./error.json" with { type: "json" };
import help from "./help.json" with { type: "json" };
import link from "./link.json" with { type: "json" };
import privacy from "./privacy.json" with { type: "json" };
import profile from "./profile.json" with { type: "json" };
import reply from "./reply.json" with { type: "json" };
import scene from "./scene.json" with { type: "json" };
import settings from "./settings.json" with { type: "json" };
import time from "./time.json" with { type: "json" };

export const botTexts = {
  button,
  command,
  credits,
  error,
  help,
  link,
  privacy,
  profile,
  reply,
  scene,
  settings,
  time,
};
