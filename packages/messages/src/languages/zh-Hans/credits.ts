import { translate } from "../../translate.ts";

export const credits = translate("zh-Hans", "credits", {
  title: "你的搜索次数",
  remaining_other: "你现在还能搜索 {{count, number}} 次。",
  none: "你现在没有剩余的次数了。",
  guest: "访客：今天还剩 {{remaining, number}} 次（共 {{limit, number}} 次）",
  free: "今天的免费次数：还剩 {{remaining, number}} 次（共 {{limit, number}} 次）",
  purchased: "购买的次数：{{count, number}}",
  hourly: "这一小时：还剩 {{remaining, number}} 次（共 {{limit, number}} 次）",
  resets: "{{at, relative}}有新的免费次数（{{at, moment}}）",
  linkForMore: "有了免费账号可以搜索更多次：{{command.link}}",
  cost: "每次搜索用掉一次，没有成功的搜索不计。",
});
