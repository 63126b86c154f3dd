import { translate } from "../../translate.ts";

export const link = translate("es", "link", {
  title: "Vincula tu cuenta de Koma",
  text: "Abre la página, comprueba que muestra este mismo código y aprueba. Aquí no tienes que escribir ninguna clave ni contraseña.",
  code: "Tu código: {{code}}",
  expires: "El código vence {{at, relative}} ({{at, moment}}).",
  waiting: "Esperando tu aprobación…",
  moved: "Vincular es mejor en privado, así que te envié un mensaje directo.",
  done: {
    title: "Cuenta vinculada",
    text: "De ahora en adelante tus búsquedas usan tu propia cuenta de Koma. Puedes deshacerlo con {{command.unlink}}.",
  },
  denied: {
    title: "No se vinculó",
    text: "La solicitud se rechazó en la página. Si fue un error, usa {{command.link}} otra vez.",
  },
  expired: {
    title: "El código venció",
    text: "Sirve durante 10 minutos. Usa {{command.link}} para pedir uno nuevo.",
  },
  calledOff: {
    title: "Sin conectar",
    text: "Este código se aprobó después de que te desconectaras, borraras tus datos o te conectaras de otra forma. Anulé su clave de inmediato. Usa {{command.link}} para conectarte.",
  },
  already: {
    title: "Ya tienes una cuenta vinculada",
    text: "Tus búsquedas usan tu propia cuenta. Para cambiarla, primero desvincúlala con {{command.unlink}}.",
  },
  since: "Vinculada desde el {{at, date}}",
  notLinked: {
    title: "No tienes una cuenta vinculada",
    text: "Con una cuenta gratuita tienes más búsquedas cada día. Vincúlala con {{command.link}}.",
  },
  unlinked: {
    title: "Cuenta desvinculada",
    text: "Borré tu clave aquí y la di de baja en Koma. A partir de ahora buscas como invitado.",
    textKeyRemains:
      "Borré tu clave aquí, pero no pude conectar con Koma para darla de baja. Puedes borrarla en tu cuenta.",
  },
  keyRefused: {
    title: "Tu cuenta ya no está vinculada",
    text: "Koma ya no acepta tu clave; seguramente se borró o venció. La quité de aquí. Vincula tu cuenta otra vez con {{command.link}} o sigue como invitado.",
  },
  paste: {
    title: "Usar una clave de API que ya tienes",
    label: "Tu clave de API de Koma",
    placeholder: "koma_…",
    invalid: "Esa no es una clave de API de Koma válida. Cópiala de nuevo desde tu cuenta.",
    notHere: "Nunca publiques una clave donde otros puedan leerla. Mejor usa {{command.link}}.",
  },
});
