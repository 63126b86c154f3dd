import { account } from "./account.ts";
import { device } from "./device.ts";
import { error } from "./error.ts";
import { lists } from "./lists.ts";
import { operator } from "./operator.ts";
import { scene } from "./scene.ts";
import { search } from "./search.ts";
import { site } from "./site.ts";
import { time } from "./time.ts";

/** What the web page says. */
export const pageTexts = {
  ...account,
  ...device,
  ...error,
  ...lists,
  ...operator,
  ...scene,
  ...search,
  ...site,
  ...time,
};
