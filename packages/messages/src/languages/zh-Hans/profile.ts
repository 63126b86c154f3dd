import { translate } from "../../translate.ts";

export const profile = translate("zh-Hans", "profile", {
  name: "Koma · 以图找番",
  short: "发一张动画截图给我，我来找出是哪部作品、第几集、几分几秒。",
  long: "这是哪部动画？发一张截图、GIF 或短视频给我，我来告诉你是哪部作品、第几集、几分几秒，并附上画面预览。不确定的时候，我会直说。群组里也能用。你的图片绝不会被保存。",
});
