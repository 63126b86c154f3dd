import { translate } from "../../translate.ts";

export const help = translate("zh-Hant", "help", {
  title: "這是哪部動畫？",
  intro: "傳一張截圖給我，我來告訴你是哪部動畫、第幾集、幾分幾秒。",
  hello: "{{name}}，你好。傳一張動畫截圖給我，我來找出這個畫面。",
  ways: {
    title: "怎麼問",
    direct: "私訊我：直接傳圖片、GIF 或影片。",
    command: "在任何地方：用 {{command.find}}，附上圖片或網址。",
    menu: "針對別人的訊息：打開訊息選單，選「應用程式」，再選「{{command.findMessage}}」。",
    mention: "在頻道裡：傳圖時提及我，或回覆一張圖片並提及我。",
    reply: "在群組裡：用 {{command.find}} 回覆一張圖片，或提及我。",
    inline: "在任何聊天裡：輸入我的名字，就能分享你最近找到的畫面。",
  },
  words: {
    title: "可以加上的詞",
    mute: "mute：短片不含聲音",
    nocrop: "nocrop：圖片照原樣使用",
    text: "text：不要預覽",
  },
  answer: {
    title: "關於結果",
    similarity: "百分比表示正確的可能性。不確定的時候，我會直說。",
    buttons: "按「{{right}}」或「{{wrong}}」，告訴我找得對不對。",
  },
  tips: {
    title: "怎樣更容易找到",
    text: "沒有邊框、文字和濾鏡的端正截圖效果最好。局部截圖、小圖和左右翻轉的圖，往往也找得到。",
  },
  limits: {
    title: "能搜尋多少次",
    text: "每天有一些免費次數。{{command.credits}} 查看剩餘次數，{{command.link}} 連結帳號。",
  },
  commands: "指令",
  more: "更多：{{command.settings}} · {{command.privacy}} · {{command.forget}}",
});
