import { translate } from "../../translate.ts";

export const settings = translate("pt-BR", "settings", {
  title: "Suas configurações",
  placeTitle: "Configurações de {{place}}",
  saved: "Salvo.",
  onlyManagers: "Só quem administra este servidor ou grupo pode mudar isso.",
  notInPrivate: "Isso só existe em servidores e grupos.",
  automatic: "Automático",
  choose: "Escolher",
  on: "Sim",
  off: "Não",
  language: {
    label: "Idioma",
    text: "O idioma em que respondo.",
    automatic: "Automático (o idioma do seu aplicativo)",
    changed: "De agora em diante respondo em português.",
  },
  adult: {
    label: "Resultados para adultos",
    text: "Só aparecem onde a restrição de idade está ativada.",
    on: "Em canais com restrição de idade",
    off: "Nunca",
  },
  preview: {
    label: "Prévia",
    text: "O que mostro de uma cena.",
    clip: "Clipe curto",
    still: "Imagem",
    none: "Só texto",
  },
  sound: {
    label: "Som dos clipes",
    on: "Com som",
    off: "Sem som",
  },
  replies: {
    label: "Quem vê minhas respostas",
    text: "As respostas aos comandos podem ser vistas por todos ou só por quem perguntou.",
    public: "Todos",
    private: "Só quem perguntou",
  },
  channels: {
    label: "Onde respondo",
    text: "Sem uma escolha, respondo em todos os canais que consigo ver.",
    all: "Em todo lugar",
    some: "Só aqui: {{places}}",
    placeholder: "Escolha os canais",
  },
  listed: {
    label: "Lista pública",
    text: "Se as buscas confirmadas aqui podem aparecer entre as recentes. Os nomes nunca aparecem.",
    on: "Podem aparecer",
    off: "Nunca aparecem",
  },
});
