import { translate } from "../../translate.ts";

export const lists = translate("es", "lists", {
  rankings: {
    title: "Los anime más buscados",
    period: "Período",
    daily: "Hoy",
    weekly: "7 días",
    monthly: "30 días",
    yearly: "365 días",
    all: "Desde siempre",
    range: "Del {{from, date}} al {{to, date}}",
    includeAdult: "Incluir anime para adultos",
    rank: "Puesto",
    anime: "Anime",
    searches: "Búsquedas",
    count_one: "{{count, number}} búsqueda",
    count_many: "{{count, number}} de búsquedas",
    count_other: "{{count, number}} búsquedas",
    empty: "Nadie ha encontrado nada en este período todavía.",
  },
  recent: {
    title: "Encontradas hace poco",
    intro: "Escenas que la gente encontró y confirmó. Quién buscó, y con qué imagen, queda entre ellos.",
    found: "Encontrada {{at, relative}}",
    empty: "Nadie ha confirmado una búsqueda todavía. Puedes ser quien empiece.",
  },
});
