import { translate } from "../../translate.ts";

export const time = translate("zh-Hant", "time", {
  moment: "{{day}} {{clock}}",
});
