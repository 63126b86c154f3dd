import { translate } from "../../translate.ts";

export const device = translate("zh-Hant", "device", {
  title: "連結機器人",
  intro: "請輸入機器人顯示的代碼。",
  code: "代碼",
  codePlaceholder: "ABCD-EFGH",
  codeInvalid: "代碼由八個字母組成，例如 WDJB-MJHT。",
  next: "繼續",
  signIn: "請先登入，這樣我們才知道是誰的帳號。之後會回到這裡。",
  ask: "{{name}} 想要連結",
  text: "如果你同意，這個人請機器人搜尋時，會使用你的次數。",
  platform: "平台",
  chatAccount: "聊天帳號",
  chatNumber: "帳號編號",
  bot: "機器人",
  keyTitle: "金鑰名稱",
  expires: "代碼 {{at, relative}}到期。",
  warning:
    "只有在你剛剛親自向機器人提出要求，而且它顯示的正是這個代碼時，才可以同意。名字來自聊天平台，任何人都可以隨意取。",
  approve: "同意",
  deny: "拒絕",
  approved: {
    title: "連結成功",
    text: "你可以關閉這個頁面，回到聊天裡。隨時可以在「API 金鑰」裡解除。",
  },
  denied: {
    title: "已拒絕",
    text: "沒有連結任何帳號。你可以關閉這個頁面。",
  },
  unknown: {
    title: "這個代碼無法使用",
    text: "可能打錯了、已經用過，或已過期。有效時間是 10 分鐘。請向機器人索取新的。",
  },
});
