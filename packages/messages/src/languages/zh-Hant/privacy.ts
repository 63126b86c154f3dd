import { translate } from "../../translate.ts";

export const privacy = translate("zh-Hant", "privacy", {
  title: "你的隱私",
  picture: {
    title: "你的圖片",
    text: "圖片比對完就丟棄，不會儲存，也沒有人會看到。",
  },
  searches: {
    title: "你的搜尋",
    text: "結果會保存 24 小時，方便你翻看和評價。有帳號的話，會留在你的歷史紀錄裡，可以隨時刪除。私訊裡的搜尋絕不會公開。其他地方確認過的搜尋可能出現在公開清單裡，但不會附上你的名字和圖片。",
  },
  bot: {
    title: "機器人保存什麼",
    text: "你的設定和最近 24 小時的結果，用一個看不出你聊天帳號的代碼保存。如果連結了帳號，還有加密保存的金鑰。Koma 也用這樣的代碼來計算免費次數。",
  },
  messages: {
    title: "你的訊息",
    text: "我會回應指令、提及我的訊息、對我的回覆和私訊。對於我能看到的其他訊息，我只檢查有沒有人誤貼 Koma 的 API 金鑰。",
  },
  delete: {
    title: "如何刪除",
    text: "{{command.forget}} 會立刻刪除我所知道關於你的一切。{{command.unlink}} 只刪除金鑰。",
  },
  forget: {
    title: "要刪除關於你的一切嗎？",
    text: "你的設定、結果和帳號連結會立刻刪除，金鑰在 Koma 也會失效。你的 Koma 帳號本身會保留。",
    done: "完成。我所知道關於你的一切都刪除了。",
    doneKeyRemains:
      "完成。我所知道關於你的一切都刪除了。但連不上 Koma，沒能讓你的金鑰失效，你可以在自己的帳號裡刪除它。",
    kept: "什麼都沒有刪除。",
  },
});
