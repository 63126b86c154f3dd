import { translate } from "../../translate.ts";

export const device = translate("pt-BR", "device", {
  title: "Conectar um bot",
  intro: "Digite o código que o bot mostra.",
  code: "Código",
  codePlaceholder: "ABCD-EFGH",
  codeInvalid: "Um código tem oito letras, como WDJB-MJHT.",
  next: "Continuar",
  signIn: "Primeiro entre na sua conta, para sabermos de quem ela é. Depois você volta para cá.",
  ask: "{{name}} quer se conectar",
  text: "Se você aprovar, o bot pode buscar com os seus créditos quando esta pessoa pedir.",
  platform: "Onde",
  chatAccount: "Conta no chat",
  chatNumber: "Número da conta",
  bot: "Bot",
  keyTitle: "Nome da chave",
  expires: "O código expira {{at, relative}}.",
  warning:
    "Só aprove se você mesmo pediu isso ao bot agora há pouco e ele mostra exatamente este código. O nome é o que o chat informa; qualquer um pode escolher um.",
  approve: "Aprovar",
  deny: "Recusar",
  approved: {
    title: "Conectado",
    text: "Você pode fechar esta página e voltar ao chat. Dá para encerrar isso quando quiser em “Chaves de API”.",
  },
  denied: {
    title: "Recusado",
    text: "Nada foi conectado. Você pode fechar esta página.",
  },
  unknown: {
    title: "Este código não funciona",
    text: "Ele pode estar digitado errado, já usado ou expirado. Os códigos valem por 10 minutos. Peça um novo ao bot.",
  },
});
