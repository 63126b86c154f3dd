import { translate } from "../../translate.ts";

export const time = translate("zh-Hans", "time", {
  moment: "{{day}} {{clock}}",
});
