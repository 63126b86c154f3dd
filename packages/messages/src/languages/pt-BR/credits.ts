import { translate } from "../../translate.ts";

export const credits = translate("pt-BR", "credits", {
  title: "Suas buscas",
  remaining_one: "Agora você pode fazer mais {{count, number}} busca.",
  remaining_many: "Agora você pode fazer mais {{count, number}} de buscas.",
  remaining_other: "Agora você pode fazer mais {{count, number}} buscas.",
  none: "Você não tem mais buscas agora.",
  guest: "Como visitante: restam {{remaining, number}} de {{limit, number}} hoje",
  free: "Grátis hoje: restam {{remaining, number}} de {{limit, number}}",
  purchased: "Comprados: {{count, number}}",
  hourly: "Nesta hora: restam {{remaining, number}} de {{limit, number}}",
  resets: "Novas buscas grátis {{at, relative}} ({{at, moment}})",
  linkForMore: "Com uma conta gratuita você tem mais: {{command.link}}",
  cost: "Uma busca custa um crédito. As que falham são grátis.",
});
