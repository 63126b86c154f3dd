import { translate } from "../../translate.ts";

export const reply = translate("pt-BR", "reply", {
  searching: "Procurando a cena…",
  queued_one: "Vou olhar esta depois da sua outra imagem.",
  queued_many: "Vou olhar esta depois das suas outras {{count, number}} de imagens.",
  queued_other: "Vou olhar esta depois das suas outras {{count, number}} imagens.",
  queueFull: {
    title: "Uma de cada vez",
    text: "Você já tem várias imagens na fila. Espere essas respostas e depois envie esta de novo.",
  },
  match: {
    alternatives_one: "Há mais {{count, number}} possibilidade.",
    alternatives_many: "Há mais {{count, number}} de possibilidades.",
    alternatives_other: "Há mais {{count, number}} possibilidades.",
  },
  uncertain: {
    title: "Desta eu não tenho certeza",
    text: "Não encontrei nada que combine o bastante. As cenas mais próximas talvez só pareçam.",
    shown: "Uma das cenas mais próximas. Talvez só pareça.",
  },
  none: {
    title: "Não encontrei esta cena",
    text: "Não conheço nada parecido. Pode ser uma fan art ou uma série que ainda não tenho.",
  },
  tip: "O que funciona melhor é uma captura reta, sem bordas, texto ou filtros.",
  askedBy: "Pergunta de {{name}}",
  sameAsBefore: "Você já perguntou sobre esta imagem, então desta vez é grátis.",
  noPreviewHere: "Não consigo mostrar uma prévia aqui.",
  confirmed: "{{name}} marcou como certa. Obrigado.",
  rejected: "{{name}} marcou como não encontrada. Obrigado por avisar.",
  confirmThanks: "Obrigado, anotado.",
  confirmTaken: "Você já marcou esta.",
  confirmLate: "Já passou da hora de avaliar esta resposta. Dá para avaliar durante 24 horas.",
  onlyAsker:
    "Só quem perguntou pode usar estes botões. Me envie uma imagem sua e você terá a sua própria resposta.",
  gone: "Esta resposta é antiga demais. Me envie a imagem de novo.",
  deleted: "Apagada.",
  deletedByAsker: "{{name}} apagou esta resposta.",
  choosePicture: {
    title_one: "Há {{count, number}} imagem aqui",
    title_many: "Há {{count, number}} de imagens aqui",
    title_other: "Há {{count, number}} imagens aqui",
    text: "Qual delas eu procuro?",
    placeholder: "Escolha uma imagem",
    option: "Imagem {{number, number}}",
  },
  picturesTogether: "Imagem {{number, number}} de {{total, number}}",
  noPicture: {
    title: "Preciso de uma imagem",
    text: "Me envie uma captura de tela, use {{command.find}} com uma ou me mencione ao responder a uma.",
    inMessage: "Não há nenhuma imagem nesta mensagem.",
    inReply: "Não há nenhuma imagem na mensagem que você respondeu.",
    inCommand: "Adicione ao comando uma imagem ou um endereço.",
    notShown: "O Discord não me mostra a mensagem que você respondeu.",
  },
  unsupported: {
    title: "Não consigo ler este arquivo",
    text: "Funcionam imagens (JPEG, PNG, WebP, GIF, BMP, AVIF, TIFF) e também vídeos.",
  },
  notAPicture: {
    title: "Isto não é uma imagem",
    text: "Seja qual for o nome, não há imagem dentro. Me envie uma captura de tela.",
  },
  tooLarge: {
    title: "Este arquivo é grande demais para mim",
    text: "Consigo receber até {{limit, number}} MB. Uma captura de tela resolve.",
  },
  downloadFailed: {
    title: "Não consegui obter a imagem",
    text: "Ela pode ter sido apagada. Envie de novo.",
  },
  unreadableVideo: {
    title: "Não consigo abrir este vídeo",
    text: "Me envie uma captura de tela da cena.",
  },
  guestLimit: {
    title: "Suas buscas grátis de hoje acabaram",
    text: "Conecte uma conta gratuita do Koma com {{command.link}} e tenha mais a cada dia.",
  },
  creditsGone: {
    title: "Seus créditos acabaram",
    text: "Todo dia, à meia-noite, você recebe novos créditos grátis.",
    buy: "Você também pode comprar no site.",
  },
  notFound: {
    title: "Não há mais nada aqui",
    text: "Pode ter sido apagado ou ter expirado.",
  },
  blocked: {
    title: "Não tenho permissão para buscar para você",
    text: "Quem cuida deste serviço decidiu assim. Se for um engano, fale com essa pessoa.",
  },
  adultElsewhere: {
    title: "Não posso mostrar esta resposta aqui",
    text: "O melhor resultado é para adultos. Só mostro esses em canais com restrição de idade e em mensagens diretas.",
    private: "Só você vê isto, porque o melhor resultado é para adultos.",
    sentPrivately: "Enviei a resposta para você em particular.",
    writeToMe: "Escreva direto para mim e envie a imagem por lá.",
    switchedOff: "Os resultados para adultos estão desativados aqui.",
  },
  notHere: {
    title: "Não respondo neste canal",
    text: "Você pode me perguntar aqui: {{places}}",
    textNowhere: "Me envie a imagem por mensagem direta.",
  },
  missingPermission: {
    title: "Falta uma permissão para mim aqui",
    text: "Não consigo fazer isso sem: {{permissions, list}}. Um moderador pode liberar.",
    view: "ver o canal",
    send: "enviar mensagens",
    embed: "inserir links",
    attach: "anexar arquivos",
    history: "ler mensagens antigas",
    manage: "apagar mensagens",
  },
  privateClosed:
    "Não consigo escrever direto para você. Permita mensagens diretas deste servidor ou escreva para mim primeiro.",
  sentPrivately: "Enviei uma mensagem direta para você.",
  forYouAlone: "Isso é só para você. Abra nossa conversa privada pelo botão e eu te conto lá.",
  smallPreviewOnly:
    "Este arquivo passa de {{limit, number}} MB, então olhei só a pequena prévia. Uma captura de tela funciona melhor.",
  leakedKey: {
    title: "Havia uma chave de API na sua mensagem",
    textDeleted:
      "Apaguei a mensagem na hora, mas alguém pode ter visto. Apague essa chave na sua conta do Koma e crie uma nova.",
    textNotDeleted:
      "Não tenho permissão para apagar a mensagem. Apague-a agora, depois apague essa chave na sua conta do Koma e crie uma nova.",
    link: "Para conectar sua conta, use {{command.link}}. Você nunca precisa digitar uma chave.",
  },
  rankings: {
    title: "Os animes mais buscados",
    entry: "{{rank, number}}. {{anime}}",
    searches_one: "{{count, number}} busca",
    searches_many: "{{count, number}} de buscas",
    searches_other: "{{count, number}} buscas",
    empty: "Ninguém encontrou nada neste período ainda.",
    period: {
      daily: "Hoje",
      weekly: "Últimos 7 dias",
      monthly: "Últimos 30 dias",
      yearly: "Últimos 365 dias",
      all: "Desde sempre",
    },
  },
  recent: {
    title: "Encontradas há pouco",
    when: "{{at, relative}}",
    empty: "Ninguém confirmou uma busca ainda.",
  },
  inline: {
    empty: "Você não encontrou nada recentemente",
    start: "Buscar uma cena",
    description: "{{episode}} · {{at, time}}",
  },
  page: "Página {{page, number}} de {{total, number}}",
  oops: "Não deu certo. Tente de novo daqui a pouco.",
});
