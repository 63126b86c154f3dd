import { translate } from "../../translate.ts";

export const credits = translate("zh-Hant", "credits", {
  title: "你的搜尋次數",
  remaining_other: "你現在還能搜尋 {{count, number}} 次。",
  none: "你現在沒有剩餘的次數了。",
  guest: "訪客：今天還剩 {{remaining, number}} 次（共 {{limit, number}} 次）",
  free: "今天的免費次數：還剩 {{remaining, number}} 次（共 {{limit, number}} 次）",
  purchased: "購買的次數：{{count, number}}",
  hourly: "這一小時：還剩 {{remaining, number}} 次（共 {{limit, number}} 次）",
  resets: "{{at, relative}}有新的免費次數（{{at, moment}}）",
  linkForMore: "有了免費帳號可以搜尋更多次：{{command.link}}",
  cost: "每次搜尋用掉一次，沒有成功的搜尋不計。",
});
