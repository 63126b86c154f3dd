import { translate } from "../../translate.ts";

export const link = translate("zh-Hant", "link", {
  title: "連結你的 Koma 帳號",
  text: "開啟頁面，確認上面顯示的是同一個代碼，然後按同意。你不需要在這裡輸入任何金鑰或密碼。",
  code: "你的代碼：{{code}}",
  expires: "代碼在{{at, moment}} 之前有效（{{at, relative}}到期）。",
  waiting: "正在等你確認…",
  moved: "連結最好私下進行，我已經私訊你了。",
  done: {
    title: "連結成功",
    text: "以後你的搜尋會使用自己的 Koma 帳號。想取消的話，用 {{command.unlink}}。",
  },
  denied: {
    title: "沒有連結",
    text: "要求在頁面上被拒絕了。如果是不小心按錯，請再用一次 {{command.link}}。",
  },
  expired: {
    title: "代碼過期了",
    text: "有效時間是 10 分鐘。用 {{command.link}} 可以拿到新的。",
  },
  calledOff: {
    title: "沒有連結",
    text: "這個代碼是在你中斷連結、刪除資料或以其他方式連結之後才核准的，我已立即讓它的金鑰失效。要連結請用 {{command.link}}。",
  },
  already: {
    title: "你已經連結了",
    text: "你的搜尋正在使用自己的帳號。想更換的話，先用 {{command.unlink}} 解除連結。",
  },
  since: "連結於 {{at, date}}",
  notLinked: {
    title: "你還沒有連結",
    text: "有了免費帳號，每天可以搜尋更多次。用 {{command.link}} 連結。",
  },
  unlinked: {
    title: "已解除連結",
    text: "我刪除了這裡保存的金鑰，也讓它在 Koma 失效了。以後你以訪客身分搜尋。",
    textKeyRemains: "我刪除了這裡保存的金鑰，但連不上 Koma，沒能讓它失效。你可以在自己的帳號裡刪除它。",
  },
  keyRefused: {
    title: "你的帳號不再連結",
    text: "Koma 不再接受你的金鑰，它可能已被刪除或已過期。我已經把它從這裡刪掉了。可以用 {{command.link}} 重新連結，也可以繼續以訪客身分使用。",
  },
  paste: {
    title: "使用現有的 API 金鑰",
    label: "你的 Koma API 金鑰",
    placeholder: "koma_…",
    invalid: "這不是有效的 Koma API 金鑰。請從你的帳號重新複製。",
    notHere: "請不要把金鑰貼在別人看得到的地方。請改用 {{command.link}}。",
  },
});
