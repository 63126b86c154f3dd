import { translate } from "../../translate.ts";

export const web = translate("zh-Hans", "web", { name: "Koma" });
