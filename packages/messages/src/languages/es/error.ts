import { translate } from "../../translate.ts";

export const error = translate("es", "error", {
  again: "Inténtalo de nuevo {{at, relative}}.",
  againAt: "Volverá a funcionar {{at, relative}} ({{at, moment}}).",
  reference: "Si quieres reportarlo, menciona {{requestId}}.",
  offline: {
    title: "Ahora mismo no se puede conectar con Koma",
    text: "El problema es nuestro o de la conexión. La misma imagen no se cobra dos veces. Inténtalo de nuevo en un minuto.",
  },
  unknown: {
    title: "Pasó algo inesperado",
    text: "La misma imagen no se cobra dos veces. Inténtalo de nuevo en un momento.",
  },
  invalid_request: {
    title: "Hay algo mal en los datos",
    text: "Revisa lo que escribiste e inténtalo de nuevo.",
  },
  image_required: {
    title: "Falta una imagen",
    text: "Agrega una imagen o la dirección de una.",
  },
  image_and_url: {
    title: "Hay una imagen y una dirección",
    text: "Envía solo una de las dos cosas.",
  },
  url_not_allowed: {
    title: "Esta dirección no se puede abrir",
    text: "Tiene que empezar con http:// o https:// y llevar a un sitio público. También puedes guardar la imagen y enviarla.",
  },
  unauthenticated: {
    title: "No has iniciado sesión",
    text: "Inicia sesión e inténtalo de nuevo.",
  },
  invalid_api_key: {
    title: "Esta clave no funciona",
    text: "Puede que se haya borrado o que haya vencido. Crea una nueva en tu cuenta de Koma.",
  },
  credits_exhausted: {
    title: "Se te acabaron los créditos",
    text: "Cada día, a medianoche, recibes créditos gratis nuevos.",
  },
  untrusted_origin: {
    title: "Esta página no puede hacer eso",
    text: "Abre Koma en su propia dirección e inténtalo desde ahí.",
  },
  forbidden: {
    title: "No tienes permiso para eso",
    text: "Si crees que deberías tenerlo, pregunta a quien administra este servicio.",
  },
  link_denied: {
    title: "Se rechazó la vinculación",
    text: "No se vinculó nada. Si fue un error, empieza de nuevo.",
  },
  not_found: {
    title: "Aquí ya no hay nada",
    text: "Puede que se haya borrado o que haya vencido. Haz una búsqueda nueva.",
  },
  confirmation_expired: {
    title: "Ya es tarde para calificar esta búsqueda",
    text: "Se puede durante 24 horas. Puedes volver a buscar la imagen.",
  },
  link_expired: {
    title: "Este código venció",
    text: "Los códigos sirven durante 10 minutos. Pídele uno nuevo al bot.",
  },
  image_too_large: {
    title: "La imagen es demasiado grande",
    text: "Puede tener hasta 10 MB y 50 megapíxeles. Basta con una copia más pequeña o una captura.",
  },
  unsupported_image_type: {
    title: "Koma no puede leer esta imagen",
    text: "Sirven JPEG y PNG. Lo que cuenta es el contenido, no cómo se llame el archivo.",
  },
  unsupported_media_type: {
    title: "La solicitud llegó con un formato incorrecto",
    text: "Recarga la página e inténtalo de nuevo.",
  },
  range_not_satisfiable: {
    title: "El archivo no tiene esa parte",
    text: "Reproduce el clip desde el principio.",
  },
  image_unreadable: {
    title: "La imagen parece estar dañada",
    text: "No se puede abrir por completo. Guárdala o descárgala otra vez, o haz una captura nueva.",
  },
  url_fetch_failed: {
    title: "No se pudo obtener la imagen de ahí",
    text: "Revisa la dirección, o guarda la imagen y envíala.",
  },
  guest_limit_reached: {
    title: "Se acabaron las búsquedas gratis de hoy",
    text: "Con una cuenta gratuita tienes más cada día.",
  },
  hourly_limit_reached: {
    title: "Fueron muchas búsquedas en una hora",
    text: "Toma un pequeño descanso. No pierdes créditos.",
  },
  too_many_requests: {
    title: "Eso fue un poco rápido",
    text: "Espera un momento.",
  },
  slow_down: {
    title: "Eso fue un poco rápido",
    text: "Espera un momento.",
  },
  internal_error: {
    title: "Algo falló de nuestro lado",
    text: "No se te cobró nada. Inténtalo de nuevo en un momento.",
  },
  search_busy: {
    title: "Ahora mismo hay mucha gente buscando",
    text: "No se te cobró nada. Inténtalo de nuevo en un momento.",
  },
  not_ready: {
    title: "Koma todavía se está preparando",
    text: "No se te cobró nada. Inténtalo de nuevo en unos minutos.",
  },
});
