import { translate } from "../../translate.ts";

export const link = translate("pt-BR", "link", {
  title: "Conecte sua conta do Koma",
  text: "Abra a página, confira se ela mostra este mesmo código e aprove. Você não precisa digitar nenhuma chave ou senha aqui.",
  code: "Seu código: {{code}}",
  expires: "O código expira {{at, relative}} ({{at, moment}}).",
  waiting: "Esperando a sua aprovação…",
  moved: "É melhor conectar em particular, então enviei uma mensagem direta para você.",
  done: {
    title: "Conta conectada",
    text: "De agora em diante suas buscas usam a sua própria conta do Koma. Dá para desfazer com {{command.unlink}}.",
  },
  denied: {
    title: "Não conectada",
    text: "O pedido foi recusado na página. Se foi engano, use {{command.link}} de novo.",
  },
  expired: {
    title: "O código expirou",
    text: "Ele vale por 10 minutos. Use {{command.link}} para pedir um novo.",
  },
  calledOff: {
    title: "Não conectado",
    text: "Este código foi aprovado depois que você se desconectou, apagou seus dados ou se conectou de outra forma. Encerrei a chave dele na hora. Use {{command.link}} para se conectar.",
  },
  already: {
    title: "Sua conta já está conectada",
    text: "Suas buscas usam a sua própria conta. Para trocar, desconecte primeiro com {{command.unlink}}.",
  },
  since: "Conectada desde {{at, date}}",
  notLinked: {
    title: "Nenhuma conta conectada",
    text: "Com uma conta gratuita você tem mais buscas a cada dia. Conecte com {{command.link}}.",
  },
  unlinked: {
    title: "Conta desconectada",
    text: "Apaguei sua chave aqui e a encerrei no Koma. A partir de agora você busca como visitante.",
    textKeyRemains:
      "Apaguei sua chave aqui, mas não consegui acessar o Koma para encerrá-la. Você pode apagá-la na sua conta.",
  },
  keyRefused: {
    title: "Sua conta não está mais conectada",
    text: "O Koma não aceita mais a sua chave; ela deve ter sido apagada ou ter expirado. Eu a removi daqui. Conecte de novo com {{command.link}} ou continue como visitante.",
  },
  paste: {
    title: "Usar uma chave de API que você já tem",
    label: "Sua chave de API do Koma",
    placeholder: "koma_…",
    invalid: "Essa não é uma chave de API válida do Koma. Copie de novo na sua conta.",
    notHere: "Nunca publique uma chave onde outros possam ler. Use {{command.link}} no lugar.",
  },
});
