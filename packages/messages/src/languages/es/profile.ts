import { translate } from "../../translate.ts";

export const profile = translate("es", "profile", {
  name: "Koma · buscador de escenas de anime",
  short: "Envíame una captura de anime. Encuentro la serie, el episodio y el segundo.",
  long: "¿Qué anime es este? Envíame una captura, un GIF o un video corto y te digo la serie, el episodio y el segundo, con una vista previa de la escena. Si no estoy seguro, lo digo. También funciona en grupos. Tus imágenes nunca se guardan.",
});
