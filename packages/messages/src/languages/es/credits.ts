import { translate } from "../../translate.ts";

export const credits = translate("es", "credits", {
  title: "Tus búsquedas",
  remaining_one: "Ahora mismo puedes hacer {{count, number}} búsqueda más.",
  remaining_many: "Ahora mismo puedes hacer {{count, number}} de búsquedas más.",
  remaining_other: "Ahora mismo puedes hacer {{count, number}} búsquedas más.",
  none: "Ahora mismo no te quedan búsquedas.",
  guest: "Como invitado: hoy te quedan {{remaining, number}} de {{limit, number}}",
  free: "Gratis hoy: te quedan {{remaining, number}} de {{limit, number}}",
  purchased: "Comprados: {{count, number}}",
  hourly: "En esta hora: te quedan {{remaining, number}} de {{limit, number}}",
  resets: "Nuevas búsquedas gratis {{at, relative}} ({{at, moment}})",
  linkForMore: "Con una cuenta gratuita tienes más: {{command.link}}",
  cost: "Una búsqueda cuesta un crédito. Las que fallan son gratis.",
});
