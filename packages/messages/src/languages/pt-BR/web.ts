import { translate } from "../../translate.ts";

export const web = translate("pt-BR", "web", { name: "Koma" });
