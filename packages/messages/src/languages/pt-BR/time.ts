import { translate } from "../../translate.ts";

export const time = translate("pt-BR", "time", {
  moment: "{{day}} às {{clock}}",
});
