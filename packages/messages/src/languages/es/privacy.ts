import { translate } from "../../translate.ts";

export const privacy = translate("es", "privacy", {
  title: "Tu privacidad",
  picture: {
    title: "Tus imágenes",
    text: "La imagen se compara y luego se descarta. Nunca se guarda y nadie la ve.",
  },
  searches: {
    title: "Tus búsquedas",
    text: "Lo encontrado se guarda 24 horas, para que puedas verlo y calificarlo. Si tienes cuenta, queda en tu historial, donde puedes borrarlo. Las búsquedas en mensajes directos nunca se publican. Las confirmadas en otros lugares pueden salir en la lista pública, sin tu nombre y sin tu imagen.",
  },
  bot: {
    title: "Lo que guarda el bot",
    text: "Tus ajustes y tus respuestas de las últimas 24 horas, con un código que no permite saber cuál es tu cuenta de chat. Si vinculas una cuenta, también su clave, cifrada. Koma cuenta las búsquedas gratis con un código así.",
  },
  messages: {
    title: "Tus mensajes",
    text: "Respondo a comandos, menciones, respuestas y mensajes directos. En los demás mensajes que puedo ver, solo reviso si alguien publicó por error una clave de API de Koma.",
  },
  delete: {
    title: "Cómo borrarlo",
    text: "{{command.forget}} borra de inmediato todo lo que sé de ti. {{command.unlink}} solo borra la clave.",
  },
  forget: {
    title: "¿Borrar todo sobre ti?",
    text: "Tus ajustes, tus respuestas y el vínculo con tu cuenta desaparecen de inmediato. La clave también deja de servir en Koma. Tu cuenta de Koma se conserva.",
    done: "Listo. Borré todo lo que sabía de ti.",
    doneKeyRemains:
      "Listo. Borré todo lo que sabía de ti. No pude conectar con Koma para dar de baja tu clave; puedes borrarla en tu cuenta.",
    kept: "No se borró nada.",
  },
});
