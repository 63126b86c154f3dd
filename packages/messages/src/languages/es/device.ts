import { translate } from "../../translate.ts";

export const device = translate("es", "device", {
  title: "Vincular un bot",
  intro: "Escribe el código que te muestra el bot.",
  code: "Código",
  codePlaceholder: "ABCD-EFGH",
  codeInvalid: "Un código tiene ocho letras, como WDJB-MJHT.",
  next: "Continuar",
  signIn: "Primero inicia sesión, para saber de quién es la cuenta. Después vuelves aquí.",
  ask: "{{name}} quiere vincularse",
  text: "Si apruebas, el bot puede buscar con tus créditos cuando esta persona se lo pida.",
  platform: "Dónde",
  chatAccount: "Cuenta de chat",
  chatNumber: "Número de cuenta",
  bot: "Bot",
  keyTitle: "Nombre de la clave",
  expires: "El código vence {{at, relative}}.",
  warning:
    "Aprueba solo si tú se lo pediste al bot hace un momento y muestra exactamente este código. El nombre es el que dice el chat; cualquiera puede elegirlo.",
  approve: "Aprobar",
  deny: "Rechazar",
  approved: {
    title: "Vinculado",
    text: "Puedes cerrar esta página y volver al chat. Puedes terminarlo cuando quieras en “Claves de API”.",
  },
  denied: {
    title: "Rechazado",
    text: "No se vinculó nada. Puedes cerrar esta página.",
  },
  unknown: {
    title: "Este código no funciona",
    text: "Puede que esté mal escrito, ya usado o vencido. Los códigos sirven 10 minutos. Pídele uno nuevo al bot.",
  },
});
