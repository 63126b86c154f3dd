import { translate } from "../../translate.ts";

export const reply = translate("es", "reply", {
  searching: "Buscando la escena…",
  queued_one: "La miraré después de tu otra imagen pendiente.",
  queued_many: "La miraré después de tus otras {{count, number}} de imágenes.",
  queued_other: "La miraré después de tus otras {{count, number}} imágenes.",
  queueFull: {
    title: "Vamos de una en una",
    text: "Ya tienes varias imágenes en espera. Aguarda esas respuestas y luego envía esta otra vez.",
  },
  match: {
    alternatives_one: "Hay {{count, number}} posibilidad más.",
    alternatives_many: "Hay {{count, number}} de posibilidades más.",
    alternatives_other: "Hay {{count, number}} posibilidades más.",
  },
  uncertain: {
    title: "Con esta no estoy seguro",
    text: "No encontré nada que encaje lo suficiente. Puede que las escenas más cercanas solo se parezcan.",
    shown: "Una de las escenas más cercanas. Puede que solo se parezca.",
  },
  none: {
    title: "No encontré esta escena",
    text: "No conozco nada parecido. Quizá sea un fan art o una serie que todavía no tengo.",
  },
  tip: "Lo que mejor funciona es una captura derecha, sin bordes, texto ni filtros.",
  askedBy: "Pregunta de {{name}}",
  sameAsBefore: "Ya habías preguntado por esta imagen, así que esta vez es gratis.",
  noPreviewHere: "Aquí no puedo mostrar la vista previa.",
  confirmed: "{{name}} dice que es correcta. Gracias.",
  rejected: "{{name}} dice que no está. Gracias por avisar.",
  confirmThanks: "Gracias, anotado.",
  confirmTaken: "Ya la habías marcado.",
  confirmLate: "Ya es tarde para calificar esta respuesta. Se puede durante 24 horas.",
  onlyAsker:
    "Solo quien preguntó puede usar estos botones. Envíame una imagen tuya y tendrás tu propia respuesta.",
  gone: "Esta respuesta es demasiado antigua. Envíame la imagen otra vez.",
  deleted: "Borrada.",
  deletedByAsker: "{{name}} borró esta respuesta.",
  choosePicture: {
    title_one: "Aquí hay {{count, number}} imagen",
    title_many: "Aquí hay {{count, number}} de imágenes",
    title_other: "Aquí hay {{count, number}} imágenes",
    text: "¿Cuál busco?",
    placeholder: "Elige una imagen",
    option: "Imagen {{number, number}}",
  },
  picturesTogether: "Imagen {{number, number}} de {{total, number}}",
  noPicture: {
    title: "Necesito una imagen",
    text: "Envíame una captura, usa {{command.find}} con una o mencióname al responder a una.",
    inMessage: "En este mensaje no hay ninguna imagen.",
    inReply: "En el mensaje al que respondiste no hay ninguna imagen.",
    inCommand: "Añade al comando una imagen o una dirección.",
    notShown: "Discord no me muestra el mensaje al que respondiste.",
  },
  unsupported: {
    title: "No puedo leer este archivo",
    text: "Sirven imágenes (JPEG, PNG, WebP, GIF, BMP, AVIF, TIFF) y también videos.",
  },
  notAPicture: {
    title: "Esto no es una imagen",
    text: "Diga lo que diga el nombre, dentro no hay ninguna imagen. Envíame una captura.",
  },
  tooLarge: {
    title: "Este archivo es demasiado grande para mí",
    text: "Puedo recibir hasta {{limit, number}} MB. Basta con una captura.",
  },
  downloadFailed: {
    title: "No pude obtener la imagen",
    text: "Puede que la hayan borrado. Envíala otra vez.",
  },
  unreadableVideo: {
    title: "No puedo abrir este video",
    text: "Envíame una captura de la escena.",
  },
  guestLimit: {
    title: "Se te acabaron las búsquedas gratis de hoy",
    text: "Vincula una cuenta gratuita de Koma con {{command.link}} y tendrás más cada día.",
  },
  creditsGone: {
    title: "Se te acabaron los créditos",
    text: "Cada día, a medianoche, recibes créditos gratis nuevos.",
    buy: "También puedes comprar en el sitio web.",
  },
  notFound: {
    title: "Aquí ya no hay nada",
    text: "Puede que se haya borrado o que haya vencido.",
  },
  blocked: {
    title: "No tengo permitido buscar para ti",
    text: "Quien administra este servicio lo decidió así. Si es un error, avísale.",
  },
  adultElsewhere: {
    title: "No puedo mostrar esta respuesta aquí",
    text: "La mejor coincidencia es para adultos. Solo las muestro en canales con restricción de edad y en mensajes directos.",
    private: "Solo tú ves esto, porque la mejor coincidencia es para adultos.",
    sentPrivately: "Te envié la respuesta en privado.",
    writeToMe: "Escríbeme directamente y envía la imagen ahí.",
    switchedOff: "Aquí los resultados para adultos están desactivados.",
  },
  notHere: {
    title: "En este canal no respondo",
    text: "Puedes preguntarme aquí: {{places}}",
    textNowhere: "Envíame la imagen por mensaje directo.",
  },
  missingPermission: {
    title: "Me falta un permiso aquí",
    text: "Sin esto no puedo hacerlo: {{permissions, list}}. Un moderador puede darme permiso.",
    view: "ver el canal",
    send: "enviar mensajes",
    embed: "insertar enlaces",
    attach: "adjuntar archivos",
    history: "leer mensajes anteriores",
    manage: "borrar mensajes",
  },
  privateClosed:
    "No puedo escribirte directamente. Permite mensajes directos de este servidor o escríbeme tú primero.",
  sentPrivately: "Te envié un mensaje directo.",
  forYouAlone: "Esto es solo para ti. Abre nuestro chat privado con el botón y te lo digo ahí.",
  smallPreviewOnly:
    "Este archivo pasa de {{limit, number}} MB, así que solo miré su pequeña vista previa. Una captura funciona mejor.",
  leakedKey: {
    title: "Había una clave de API en tu mensaje",
    textDeleted:
      "Borré el mensaje enseguida, pero alguien pudo haberlo visto. Borra esa clave en tu cuenta de Koma y crea una nueva.",
    textNotDeleted:
      "No tengo permiso para borrar el mensaje. Bórralo ahora, luego borra esa clave en tu cuenta de Koma y crea una nueva.",
    link: "Para vincular tu cuenta usa {{command.link}}. Nunca tienes que escribir una clave.",
  },
  rankings: {
    title: "Los anime más buscados",
    entry: "{{rank, number}}. {{anime}}",
    searches_one: "{{count, number}} búsqueda",
    searches_many: "{{count, number}} de búsquedas",
    searches_other: "{{count, number}} búsquedas",
    empty: "Nadie ha encontrado nada en este período todavía.",
    period: {
      daily: "Hoy",
      weekly: "Últimos 7 días",
      monthly: "Últimos 30 días",
      yearly: "Últimos 365 días",
      all: "Desde siempre",
    },
  },
  recent: {
    title: "Encontradas hace poco",
    when: "{{at, relative}}",
    empty: "Nadie ha confirmado una búsqueda todavía.",
  },
  inline: {
    empty: "No has encontrado nada últimamente",
    start: "Buscar una escena",
    description: "{{episode}} · {{at, time}}",
  },
  page: "Página {{page, number}} de {{total, number}}",
  oops: "No funcionó. Inténtalo de nuevo en un momento.",
});
