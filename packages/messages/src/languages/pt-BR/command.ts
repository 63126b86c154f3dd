import { translate } from "../../translate.ts";

export const command = translate("pt-BR", "command", {
  findMessage: "Buscar cena de anime",
  find: {
    name: "buscar",
    description: "Encontra o anime, o episódio e o segundo de uma captura de tela",
    image: { name: "imagem", description: "A imagem, o GIF ou o vídeo" },
    url: { name: "endereço", description: "Ou o endereço web de uma imagem" },
    preview: {
      name: "prévia",
      description: "O que mostrar da cena",
      clip: "Clipe",
      still: "Imagem",
      none: "Só texto",
    },
    mute: { name: "mudo", description: "O clipe sem som" },
    crop: {
      name: "recortar",
      description: "Escolha não para buscar a imagem exatamente como ela é",
    },
    frame: { name: "segundo", description: "De um GIF ou vídeo: em qual segundo" },
    private: { name: "particular", description: "Só você vê a resposta" },
  },
  rankings: {
    name: "ranking",
    description: "Os animes mais buscados",
    period: { name: "período", description: "De que época" },
  },
  recent: { name: "recentes", description: "O que outros encontraram há pouco" },
  credits: { name: "créditos", description: "Quantas buscas você ainda tem" },
  link: { name: "conectar", description: "Conecta sua conta do Koma" },
  unlink: { name: "desconectar", description: "Desconecta sua conta do Koma" },
  settings: {
    name: "configurações",
    description: "Idioma, prévias e o que posso fazer aqui",
    mine: { name: "minhas", description: "Suas próprias configurações" },
    server: { name: "servidor", description: "As configurações deste servidor (para quem o administra)" },
    language: { name: "idioma", description: "O idioma em que respondo" },
    adult: {
      name: "adultos",
      description: "Mostrar resultados para adultos em canais com restrição de idade",
    },
    preview: { name: "prévia", description: "O que mostrar de uma cena" },
    channel: { name: "canal", description: "Permitir ou não que eu responda em um canal" },
    replies: { name: "respostas", description: "Quem vê minhas respostas" },
    listed: {
      name: "lista-pública",
      description: "Se as buscas confirmadas podem aparecer na lista pública",
    },
  },
  lang: { name: "idioma", description: "Escolha seu idioma" },
  start: { name: "início", description: "Dizer oi" },
  help: { name: "ajuda", description: "Como me usar" },
  privacy: { name: "privacidade", description: "O que eu guardo e por quanto tempo" },
  forget: { name: "esquecer", description: "Apaga tudo o que sei sobre você" },
});
