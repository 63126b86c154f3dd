import { translate } from "../../translate.ts";

export const error = translate("pt-BR", "error", {
  again: "Tente de novo {{at, relative}}.",
  againAt: "Volta a funcionar {{at, relative}} ({{at, moment}}).",
  reference: "Se for relatar isso, informe {{requestId}}.",
  offline: {
    title: "Não dá para acessar o Koma agora",
    text: "O problema é do nosso lado ou da conexão. A mesma imagem não é cobrada duas vezes. Tente de novo em um minuto.",
  },
  unknown: {
    title: "Aconteceu algo inesperado",
    text: "A mesma imagem não é cobrada duas vezes. Tente de novo daqui a pouco.",
  },
  invalid_request: {
    title: "Tem algo errado nos dados",
    text: "Confira o que você digitou e tente de novo.",
  },
  image_required: {
    title: "Falta uma imagem",
    text: "Adicione uma imagem ou o endereço de uma.",
  },
  image_and_url: {
    title: "Há uma imagem e um endereço",
    text: "Envie só um dos dois.",
  },
  url_not_allowed: {
    title: "Não é possível abrir este endereço",
    text: "Ele precisa começar com http:// ou https:// e levar a um site público. Você também pode salvar a imagem e enviá-la.",
  },
  unauthenticated: {
    title: "Você não entrou na sua conta",
    text: "Entre e tente de novo.",
  },
  invalid_api_key: {
    title: "Esta chave não funciona",
    text: "Ela pode ter sido apagada ou ter expirado. Crie uma nova na sua conta do Koma.",
  },
  credits_exhausted: {
    title: "Seus créditos acabaram",
    text: "Todo dia, à meia-noite, você recebe novos créditos grátis.",
  },
  untrusted_origin: {
    title: "Esta página não pode fazer isso",
    text: "Abra o Koma no endereço dele e tente de novo por lá.",
  },
  forbidden: {
    title: "Você não tem permissão para isso",
    text: "Se acha que deveria ter, fale com quem cuida deste serviço.",
  },
  link_denied: {
    title: "A conexão foi recusada",
    text: "Nada foi conectado. Se foi engano, é só começar de novo.",
  },
  not_found: {
    title: "Não há mais nada aqui",
    text: "Pode ter sido apagado ou ter expirado. Faça uma nova busca.",
  },
  confirmation_expired: {
    title: "Já passou da hora de avaliar esta busca",
    text: "Dá para avaliar durante 24 horas. Você pode buscar a imagem de novo.",
  },
  link_expired: {
    title: "Este código expirou",
    text: "Os códigos valem por 10 minutos. Peça um novo ao bot.",
  },
  image_too_large: {
    title: "A imagem é grande demais",
    text: "Ela pode ter até 10 MB e 50 megapixels. Uma cópia menor ou uma captura de tela resolve.",
  },
  unsupported_image_type: {
    title: "O Koma não consegue ler esta imagem",
    text: "JPEG e PNG funcionam. O que conta é o conteúdo, não o nome do arquivo.",
  },
  unsupported_media_type: {
    title: "O pedido foi enviado no formato errado",
    text: "Recarregue a página e tente de novo.",
  },
  range_not_satisfiable: {
    title: "O arquivo não tem essa parte",
    text: "Reproduza o clipe desde o início.",
  },
  image_unreadable: {
    title: "A imagem parece estar danificada",
    text: "Não dá para abri-la por inteiro. Salve ou baixe de novo, ou faça uma nova captura de tela.",
  },
  url_fetch_failed: {
    title: "Não foi possível buscar a imagem lá",
    text: "Confira o endereço, ou salve a imagem e envie.",
  },
  guest_limit_reached: {
    title: "As buscas grátis de hoje acabaram",
    text: "Com uma conta gratuita você tem mais a cada dia.",
  },
  hourly_limit_reached: {
    title: "Foram muitas buscas em uma hora",
    text: "Faça uma pausa. Você não perde créditos.",
  },
  too_many_requests: {
    title: "Foi um pouco rápido demais",
    text: "Espere um momento.",
  },
  slow_down: {
    title: "Foi um pouco rápido demais",
    text: "Espere um momento.",
  },
  internal_error: {
    title: "Algo deu errado do nosso lado",
    text: "Nada foi cobrado. Tente de novo daqui a pouco.",
  },
  search_busy: {
    title: "Tem muita gente buscando agora",
    text: "Nada foi cobrado. Tente de novo daqui a pouco.",
  },
  not_ready: {
    title: "O Koma ainda está se preparando",
    text: "Nada foi cobrado. Tente de novo em alguns minutos.",
  },
});
