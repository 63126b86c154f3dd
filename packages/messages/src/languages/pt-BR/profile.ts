import { translate } from "../../translate.ts";

export const profile = translate("pt-BR", "profile", {
  name: "Koma · buscador de cenas de anime",
  short: "Me envie uma captura de anime. Eu encontro a série, o episódio e o segundo.",
  long: "Que anime é este? Me envie uma captura de tela, um GIF ou um vídeo curto e eu digo a série, o episódio e o segundo, com uma prévia da cena. Se não tenho certeza, eu digo. Funciona em grupos também. Suas imagens nunca são guardadas.",
});
