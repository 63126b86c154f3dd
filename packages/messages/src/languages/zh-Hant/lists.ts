import { translate } from "../../translate.ts";

export const lists = translate("zh-Hant", "lists", {
  rankings: {
    title: "最多人搜尋的動畫",
    period: "期間",
    daily: "今天",
    weekly: "7 天",
    monthly: "30 天",
    yearly: "365 天",
    all: "所有時間",
    range: "{{from, date}} 至 {{to, date}}",
    includeAdult: "包含成人動畫",
    rank: "名次",
    anime: "動畫",
    searches: "搜尋次數",
    count_other: "{{count, number}} 次搜尋",
    empty: "這段期間還沒有人找到什麼。",
  },
  recent: {
    title: "最近找到的畫面",
    intro: "大家找到並確認過的畫面。是誰搜尋的、用了什麼圖片，只有本人知道。",
    found: "{{at, relative}}找到",
    empty: "還沒有人確認過搜尋結果。來當第一個吧。",
  },
});
