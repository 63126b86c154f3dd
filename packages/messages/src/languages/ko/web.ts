import { translate } from "../../translate.ts";

export const web = translate("ko", "web", { name: "Koma" });
