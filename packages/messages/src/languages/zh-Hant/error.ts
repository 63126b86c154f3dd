import { translate } from "../../translate.ts";

export const error = translate("zh-Hant", "error", {
  again: "請在 {{at, relative}}再試一次。",
  againAt: "{{at, relative}}恢復（{{at, moment}}）。",
  reference: "回報問題時，請附上這個編號：{{requestId}}",
  offline: {
    title: "暫時連不上 Koma",
    text: "問題出在我們這邊或網路上，同一張圖片不會重複扣除次數。請過一分鐘再試。",
  },
  unknown: {
    title: "發生了一點意外",
    text: "同一張圖片不會重複扣除次數。請稍後再試。",
  },
  invalid_request: {
    title: "填寫的內容有誤",
    text: "請檢查後再試一次。",
  },
  image_required: {
    title: "還沒有圖片",
    text: "請加入一張圖片，或圖片的網址。",
  },
  image_and_url: {
    title: "圖片和網址只能擇一",
    text: "請只傳送其中一個。",
  },
  url_not_allowed: {
    title: "這個網址無法開啟",
    text: "網址要以 http:// 或 https:// 開頭，並且通往公開的網站。也可以把圖片存下來直接傳送。",
  },
  unauthenticated: {
    title: "你還沒有登入",
    text: "請登入後再試一次。",
  },
  invalid_api_key: {
    title: "這個金鑰無法使用",
    text: "它可能已被刪除或已過期。請在你的 Koma 帳號裡建立新的。",
  },
  credits_exhausted: {
    title: "搜尋次數用完了",
    text: "每天零時會有新的免費次數。",
  },
  untrusted_origin: {
    title: "這個頁面不能執行此操作",
    text: "請開啟 Koma 自己的網址，再試一次。",
  },
  forbidden: {
    title: "你沒有權限這麼做",
    text: "如果你覺得應該可以，請聯絡本服務的營運者。",
  },
  link_denied: {
    title: "連結要求遭到拒絕",
    text: "沒有連結任何帳號。如果是不小心按錯，重新開始就好。",
  },
  not_found: {
    title: "這裡已經沒有內容了",
    text: "可能已被刪除或已過期。請重新搜尋。",
  },
  confirmation_expired: {
    title: "這次搜尋已經無法評價",
    text: "評價要在 24 小時內進行。你可以重新搜尋這張圖片。",
  },
  link_expired: {
    title: "這個代碼已過期",
    text: "代碼的有效時間是 10 分鐘。請向機器人索取新的。",
  },
  image_too_large: {
    title: "圖片太大了",
    text: "最大 10 MB、5000 萬像素。縮小一點，或截一張圖就行。",
  },
  unsupported_image_type: {
    title: "Koma 無法讀取這種圖片",
    text: "支援 JPEG 和 PNG。看的是檔案內容，不是副檔名。",
  },
  unsupported_media_type: {
    title: "要求的格式不正確",
    text: "請重新整理頁面後再試。",
  },
  range_not_satisfiable: {
    title: "檔案裡沒有這一段",
    text: "請從頭播放這段影片。",
  },
  image_unreadable: {
    title: "圖片似乎損壞了",
    text: "沒辦法完整開啟。請重新儲存或下載，或再截一張圖。",
  },
  url_fetch_failed: {
    title: "無法從這個網址取得圖片",
    text: "請檢查網址，或把圖片存下來直接傳送。",
  },
  guest_limit_reached: {
    title: "今天的免費次數用完了",
    text: "註冊一個免費帳號，每天可以搜尋更多次。",
  },
  hourly_limit_reached: {
    title: "這一小時內搜尋得太多了",
    text: "請休息一下，次數不會減少。",
  },
  too_many_requests: {
    title: "有點太快了",
    text: "請稍等一下。",
  },
  slow_down: {
    title: "有點太快了",
    text: "請稍等一下。",
  },
  internal_error: {
    title: "我們這邊出了點問題",
    text: "沒有扣除次數。請稍後再試。",
  },
  search_busy: {
    title: "現在搜尋的人很多",
    text: "沒有扣除次數。請稍後再試。",
  },
  not_ready: {
    title: "Koma 還在準備中",
    text: "沒有扣除次數。請過幾分鐘再試。",
  },
});
