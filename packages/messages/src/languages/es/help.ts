import { translate } from "../../translate.ts";

export const help = translate("es", "help", {
  title: "¿Qué anime es este?",
  intro: "Envíame una captura y te digo el anime, el episodio y el segundo.",
  hello: "Hola, {{name}}. Envíame una captura de un anime y encuentro la escena.",
  ways: {
    title: "Cómo preguntar",
    direct: "En privado conmigo: solo envía una imagen, un GIF o un video.",
    command: "En cualquier lugar: {{command.find}} con una imagen o una dirección.",
    menu: "En el mensaje de alguien: abre su menú, luego Aplicaciones y “{{command.findMessage}}”.",
    mention: "En un canal: mencióname junto con una imagen o al responder a una.",
    reply: "En un grupo: responde a una imagen con {{command.find}} o mencióname.",
    inline: "En cualquier chat: escribe mi nombre para compartir lo que encontraste hace poco.",
  },
  words: {
    title: "Palabras que puedes agregar",
    mute: "mute: el clip sin sonido",
    nocrop: "nocrop: usar la imagen tal como es",
    text: "text: sin vista previa",
  },
  answer: {
    title: "La respuesta",
    similarity: "El porcentaje indica qué tan probable es que sea correcta. Si no estoy seguro, lo digo.",
    buttons: "Con “{{right}}” o “{{wrong}}” me dices si acerté.",
  },
  tips: {
    title: "Para mejores resultados",
    text: "Lo que mejor funciona es una captura derecha, sin bordes, texto ni filtros. Los recortes, las imágenes pequeñas y las invertidas también suelen servir.",
  },
  limits: {
    title: "Cuántas búsquedas",
    text: "Algunas son gratis cada día. {{command.credits}} muestra cuántas te quedan y {{command.link}} vincula tu cuenta.",
  },
  commands: "Comandos",
  more: "Más: {{command.settings}} · {{command.privacy}} · {{command.forget}}",
});
