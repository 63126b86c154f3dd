import { translate } from "../../translate.ts";

export const command = translate("es", "command", {
  findMessage: "Buscar escena de anime",
  find: {
    name: "buscar",
    description: "Encuentra el anime, el episodio y el segundo de una captura",
    image: { name: "imagen", description: "La imagen, el GIF o el video" },
    url: { name: "dirección", description: "O la dirección web de una imagen" },
    preview: {
      name: "vista-previa",
      description: "Qué mostrar de la escena",
      clip: "Clip",
      still: "Imagen",
      none: "Solo texto",
    },
    mute: { name: "silencio", description: "El clip sin sonido" },
    crop: { name: "recortar", description: "Elige que no para buscar la imagen tal como es" },
    frame: { name: "segundo", description: "De un GIF o video: en qué segundo" },
    private: { name: "privado", description: "Solo tú ves la respuesta" },
  },
  rankings: {
    name: "ranking",
    description: "Los anime más buscados",
    period: { name: "período", description: "De qué tiempo" },
  },
  recent: { name: "recientes", description: "Lo que otros encontraron hace poco" },
  credits: { name: "créditos", description: "Cuántas búsquedas te quedan" },
  link: { name: "vincular", description: "Vincula tu cuenta de Koma" },
  unlink: { name: "desvincular", description: "Desvincula tu cuenta de Koma" },
  settings: {
    name: "ajustes",
    description: "Idioma, vistas previas y lo que puedo hacer aquí",
    mine: { name: "míos", description: "Tus propios ajustes" },
    server: { name: "servidor", description: "Los ajustes de este servidor (para quienes lo administran)" },
    language: { name: "idioma", description: "El idioma en que respondo" },
    adult: {
      name: "adultos",
      description: "Mostrar resultados para adultos en canales con restricción de edad",
    },
    preview: { name: "vista-previa", description: "Qué mostrar de una escena" },
    channel: { name: "canal", description: "Permitirme o no responder en un canal" },
    replies: { name: "respuestas", description: "Quién ve mis respuestas" },
    listed: {
      name: "lista-pública",
      description: "Si las búsquedas confirmadas pueden salir en la lista pública",
    },
  },
  lang: { name: "idioma", description: "Elige tu idioma" },
  start: { name: "inicio", description: "Saludar" },
  help: { name: "ayuda", description: "Cómo usarme" },
  privacy: { name: "privacidad", description: "Qué guardo y por cuánto tiempo" },
  forget: { name: "olvidar", description: "Borra todo lo que sé de ti" },
});
