import { translate } from "../../translate.ts";

export const lists = translate("zh-Hans", "lists", {
  rankings: {
    title: "被搜索最多的动画",
    period: "时间",
    daily: "今天",
    weekly: "7 天",
    monthly: "30 天",
    yearly: "365 天",
    all: "全部时间",
    range: "{{from, date}} 至 {{to, date}}",
    includeAdult: "包含成人动画",
    rank: "名次",
    anime: "动画",
    searches: "搜索次数",
    count_other: "{{count, number}} 次搜索",
    empty: "这段时间还没有人找到什么。",
  },
  recent: {
    title: "最近找到的画面",
    intro: "大家找到并确认过的画面。是谁搜索的、用了什么图片，只有本人知道。",
    found: "{{at, relative}}找到",
    empty: "还没有人确认过搜索结果。来当第一个吧。",
  },
});
