import { translate } from "../../translate.ts";

export const reply = translate("zh-Hant", "reply", {
  searching: "正在找這個畫面…",
  queued_other: "你前面還有 {{count, number}} 張圖片，看完就輪到這張。",
  queueFull: {
    title: "一張一張來",
    text: "你已經有好幾張圖片在排隊了。等它們有結果之後，再傳這一張吧。",
  },
  match: {
    alternatives_other: "還有 {{count, number}} 個可能的結果。",
  },
  uncertain: {
    title: "這張我不太確定",
    text: "沒有找到夠吻合的畫面。最接近的幾個也許只是看起來像。",
    shown: "最接近的畫面之一，也許只是看起來像。",
  },
  none: {
    title: "沒找到這個畫面",
    text: "我沒看過類似的畫面。它可能是同人圖，或出自我還沒有收錄的作品。",
  },
  tip: "沒有邊框、文字和濾鏡的端正截圖效果最好。",
  askedBy: "{{name}} 的提問",
  sameAsBefore: "這張圖片你之前問過，這次不計次數。",
  noPreviewHere: "這裡無法顯示預覽。",
  confirmed: "{{name}} 標記為正確。謝謝。",
  rejected: "{{name}} 標記為沒找到。謝謝你告訴我。",
  confirmThanks: "謝謝，記下來了。",
  confirmTaken: "你已經標記過了。",
  confirmLate: "這個結果已經無法評價。評價要在 24 小時內進行。",
  onlyAsker: "只有提問的人能用這些按鈕。傳一張你自己的圖片，就有你自己的結果。",
  gone: "這個結果太舊，無法再操作了。請重新傳送圖片。",
  deleted: "已刪除。",
  deletedByAsker: "{{name}} 刪除了這個結果。",
  choosePicture: {
    title_other: "這裡有 {{count, number}} 張圖片",
    text: "要找哪一張？",
    placeholder: "選擇一張圖片",
    option: "圖片 {{number, number}}",
  },
  picturesTogether: "圖片 {{number, number}} / {{total, number}}",
  noPicture: {
    title: "我需要一張圖片",
    text: "傳一張截圖給我，用 {{command.find}} 附上圖片，或回覆一張圖片並提及我。",
    inMessage: "這則訊息裡沒有圖片。",
    inReply: "你回覆的那則訊息裡沒有圖片。",
  },
  unsupported: {
    title: "我無法讀取這個檔案",
    text: "支援圖片（JPEG、PNG、WebP、GIF、BMP、AVIF、TIFF）和影片。",
  },
  notAPicture: {
    title: "這不是圖片",
    text: "不管檔名怎麼寫，裡面並沒有圖片。請傳一張截圖。",
  },
  tooLarge: {
    title: "這個檔案對我來說太大了",
    text: "最大 {{limit, number}} MB。截一張圖就行。",
  },
  downloadFailed: {
    title: "無法取得圖片",
    text: "它可能已被刪除。請重新傳送。",
  },
  unreadableVideo: {
    title: "這部影片打不開",
    text: "請傳一張那個畫面的截圖。",
  },
  guestLimit: {
    title: "你今天的免費次數用完了",
    text: "用 {{command.link}} 連結免費的 Koma 帳號，每天可以搜尋更多次。",
  },
  creditsGone: {
    title: "你的搜尋次數用完了",
    text: "每天零時會有新的免費次數。",
    buy: "也可以在網站上購買。",
  },
  notFound: {
    title: "這裡已經沒有內容了",
    text: "可能已被刪除或已過期。",
  },
  blocked: {
    title: "我不能為你搜尋",
    text: "本服務的營運者限制了使用。如果有誤，請聯絡他們。",
  },
  adultElsewhere: {
    title: "這個結果不能在這裡顯示",
    text: "最接近的結果是成人內容，我只在有年齡限制的頻道和私訊裡顯示。",
    private: "最接近的結果是成人內容，所以只有你看得到。",
    sentPrivately: "結果已經私下傳給你了。",
    writeToMe: "請直接私訊我，把圖片傳到那裡。",
    switchedOff: "這裡關閉了成人內容的結果。",
  },
  notHere: {
    title: "我不在這個頻道回答",
    text: "可以在這裡問我：{{places}}",
    textNowhere: "請把圖片私訊給我。",
  },
  missingPermission: {
    title: "我在這裡缺少權限",
    text: "需要這些權限：{{permissions, list}}。可以請管理員開啟。",
    view: "檢視頻道",
    send: "發送訊息",
    embed: "嵌入連結",
    attach: "附加檔案",
    history: "讀取訊息歷史",
    manage: "刪除訊息",
  },
  privateClosed: "我沒辦法私訊你。請允許來自這個伺服器的私訊，或先傳一則訊息給我。",
  sentPrivately: "已經私訊你了。",
  forYouAlone: "這只能告訴你一個人。點按鈕開啟我們的私訊，我在那裡告訴你。",
  smallPreviewOnly: "這個檔案超過 {{limit, number}} MB，所以我只看了它的小預覽圖。傳截圖效果更好。",
  leakedKey: {
    title: "你的訊息裡有一個 API 金鑰",
    textDeleted: "我馬上刪除了那則訊息，但可能已經有人看到。請在你的 Koma 帳號裡刪除這個金鑰，再建立新的。",
    textNotDeleted:
      "我沒有權限刪除那則訊息。請現在就刪掉它，然後在你的 Koma 帳號裡刪除這個金鑰，再建立新的。",
    link: "要連結帳號，請用 {{command.link}}，完全不需要輸入金鑰。",
  },
  rankings: {
    title: "最多人搜尋的動畫",
    entry: "{{rank, number}}. {{anime}}",
    searches_other: "{{count, number}} 次搜尋",
    empty: "這段期間還沒有人找到什麼。",
    period: {
      daily: "今天",
      weekly: "近 7 天",
      monthly: "近 30 天",
      yearly: "近 365 天",
      all: "所有時間",
    },
  },
  recent: {
    title: "最近找到的畫面",
    when: "{{at, relative}}",
    empty: "還沒有人確認過搜尋結果。",
  },
  inline: {
    empty: "你最近沒有找到過畫面",
    start: "找一個畫面",
    description: "{{episode}} · {{at, time}}",
  },
  page: "第 {{page, number}} 頁，共 {{total, number}} 頁",
  oops: "沒有成功。請稍後再試。",
});
