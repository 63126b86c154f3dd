import { translate } from "../../translate.ts";

export const time = translate("ko", "time", {
  moment: "{{day}} {{clock}}",
});
