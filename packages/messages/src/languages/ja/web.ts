import { translate } from "../../translate.ts";

export const web = translate("ja", "web", { name: "Koma" });
