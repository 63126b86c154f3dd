import { translate } from "../../translate.ts";

export const web = translate("zh-Hant", "web", { name: "Koma" });
