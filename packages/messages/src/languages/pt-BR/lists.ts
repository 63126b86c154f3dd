import { translate } from "../../translate.ts";

export const lists = translate("pt-BR", "lists", {
  rankings: {
    title: "Os animes mais buscados",
    period: "Período",
    daily: "Hoje",
    weekly: "7 dias",
    monthly: "30 dias",
    yearly: "365 dias",
    all: "Desde sempre",
    range: "De {{from, date}} a {{to, date}}",
    includeAdult: "Incluir animes para adultos",
    rank: "Posição",
    anime: "Anime",
    searches: "Buscas",
    count_one: "{{count, number}} busca",
    count_many: "{{count, number}} de buscas",
    count_other: "{{count, number}} buscas",
    empty: "Ninguém encontrou nada neste período ainda.",
  },
  recent: {
    title: "Encontradas há pouco",
    intro:
      "Cenas que as pessoas encontraram e confirmaram. Quem buscou, e com qual imagem, fica só com elas.",
    found: "Encontrada {{at, relative}}",
    empty: "Ninguém confirmou uma busca ainda. Que tal começar?",
  },
});
