import { translate } from "../../translate.ts";

export const time = translate("es", "time", {
  moment: "{{day}} a las {{clock}}",
});
