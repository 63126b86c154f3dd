import { translate } from "../../translate.ts";

export const profile = translate("zh-Hant", "profile", {
  name: "Koma · 以圖找動畫",
  short: "傳一張動畫截圖給我，我來找出是哪部作品、第幾集、幾分幾秒。",
  long: "這是哪部動畫？傳一張截圖、GIF 或短影片給我，我來告訴你是哪部作品、第幾集、幾分幾秒，並附上畫面預覽。不確定的時候，我會直說。群組裡也能用。你的圖片絕不會被儲存。",
});
