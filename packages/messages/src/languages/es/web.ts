import { translate } from "../../translate.ts";

export const web = translate("es", "web", { name: "Koma" });
