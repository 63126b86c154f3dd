import { translate } from "../../translate.ts";

export const privacy = translate("pt-BR", "privacy", {
  title: "Sua privacidade",
  picture: {
    title: "Suas imagens",
    text: "A imagem é comparada e depois descartada. Ela nunca é guardada e ninguém a vê.",
  },
  searches: {
    title: "Suas buscas",
    text: "O que foi encontrado fica guardado por 24 horas, para você poder ver e avaliar. Com uma conta, fica no seu histórico, onde você pode apagar. Buscas em mensagens diretas nunca são publicadas. As confirmadas em outros lugares podem aparecer na lista pública, sem o seu nome e sem a sua imagem.",
  },
  bot: {
    title: "O que o bot guarda",
    text: "Suas configurações e suas respostas das últimas 24 horas, sob um código que não revela a sua conta no chat. Se você conectar uma conta, também a chave dela, criptografada. O Koma conta as buscas grátis com um código assim.",
  },
  messages: {
    title: "Suas mensagens",
    text: "Respondo a comandos, menções, respostas a mim e mensagens diretas. Nas outras mensagens que consigo ver, só verifico se alguém publicou por engano uma chave de API do Koma.",
  },
  delete: {
    title: "Como apagar",
    text: "{{command.forget}} apaga na hora tudo o que sei sobre você. {{command.unlink}} só apaga a chave.",
  },
  forget: {
    title: "Apagar tudo sobre você?",
    text: "Suas configurações, suas respostas e a conexão com a sua conta somem na hora. A chave também é encerrada no Koma. A sua conta do Koma continua existindo.",
    done: "Pronto. Apaguei tudo o que eu sabia sobre você.",
    doneKeyRemains:
      "Pronto. Apaguei tudo o que eu sabia sobre você. Não consegui acessar o Koma para encerrar sua chave; você pode apagá-la na sua conta.",
    kept: "Nada foi apagado.",
  },
});
