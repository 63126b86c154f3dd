import { translate } from "../../translate.ts";

export const settings = translate("es", "settings", {
  title: "Tus ajustes",
  placeTitle: "Ajustes de {{place}}",
  saved: "Guardado.",
  onlyManagers: "Solo quienes administran este servidor o grupo pueden cambiarlo.",
  notInPrivate: "Eso solo existe en servidores y grupos.",
  automatic: "Automático",
  choose: "Elegir",
  on: "Sí",
  off: "No",
  language: {
    label: "Idioma",
    text: "El idioma en que respondo.",
    automatic: "Automático (el idioma de tu aplicación)",
    changed: "De ahora en adelante respondo en español.",
  },
  adult: {
    label: "Resultados para adultos",
    text: "Solo se muestran donde la restricción de edad está activada.",
    on: "En canales con restricción de edad",
    off: "Nunca",
  },
  preview: {
    label: "Vista previa",
    text: "Lo que muestro de una escena.",
    clip: "Clip corto",
    still: "Imagen",
    none: "Solo texto",
  },
  sound: {
    label: "Sonido de los clips",
    on: "Con sonido",
    off: "Sin sonido",
  },
  replies: {
    label: "Quién ve mis respuestas",
    text: "Las respuestas a los comandos las puede ver todo el mundo o solo quien preguntó.",
    public: "Todo el mundo",
    private: "Solo quien preguntó",
  },
  channels: {
    label: "Dónde respondo",
    text: "Si no eliges nada, respondo en todos los canales que puedo ver.",
    all: "En todas partes",
    some: "Solo aquí: {{places}}",
    placeholder: "Elige canales",
  },
  listed: {
    label: "Lista pública",
    text: "Si las búsquedas confirmadas aquí pueden salir entre las recientes. Los nombres nunca salen.",
    on: "Pueden salir",
    off: "Nunca salen",
  },
});
