import { translate } from "../../translate.ts";

export const help = translate("pt-BR", "help", {
  title: "Que anime é este?",
  intro: "Me envie uma captura de tela e eu digo o anime, o episódio e o segundo.",
  hello: "Oi, {{name}}. Me envie uma captura de tela de um anime e eu encontro a cena.",
  ways: {
    title: "Como perguntar",
    direct: "No privado comigo: é só enviar uma imagem, um GIF ou um vídeo.",
    command: "Em qualquer lugar: {{command.find}} com uma imagem ou um endereço.",
    menu: "Na mensagem de alguém: abra o menu dela, depois Apps e “{{command.findMessage}}”.",
    mention: "Em um canal: me mencione junto com uma imagem ou ao responder a uma.",
    reply: "Em um grupo: responda a uma imagem com {{command.find}} ou me mencione.",
    inline: "Em qualquer conversa: digite meu nome para compartilhar o que encontrou há pouco.",
  },
  words: {
    title: "Palavras que você pode acrescentar",
    mute: "mute: o clipe sem som",
    nocrop: "nocrop: usar a imagem exatamente como ela é",
    text: "text: sem prévia",
  },
  answer: {
    title: "A resposta",
    similarity: "A porcentagem diz a chance de estar certa. Se não tenho certeza, eu digo.",
    buttons: "Com “{{right}}” ou “{{wrong}}” você me conta se acertei.",
  },
  tips: {
    title: "Para bons resultados",
    text: "O que funciona melhor é uma captura reta, sem bordas, texto ou filtros. Recortes, imagens pequenas e espelhadas também costumam funcionar.",
  },
  limits: {
    title: "Quantas buscas",
    text: "Algumas são grátis todo dia. {{command.credits}} mostra quantas restam, {{command.link}} conecta sua conta.",
  },
  commands: "Comandos",
  more: "Mais: {{command.settings}} · {{command.privacy}} · {{command.forget}}",
});
