import { translate } from "../../translate.ts";

export const time = translate("ja", "time", {
  moment: "{{day}} {{clock}}",
});
