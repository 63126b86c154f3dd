import { translate } from "../../translate.ts";

export const device = translate("zh-Hans", "device", {
  title: "绑定机器人",
  intro: "请输入机器人显示的代码。",
  code: "代码",
  codePlaceholder: "ABCD-EFGH",
  codeInvalid: "代码由八个字母组成，例如 WDJB-MJHT。",
  next: "继续",
  signIn: "请先登录，这样我们才知道是谁的账号。之后会回到这里。",
  ask: "{{name}} 想要绑定",
  text: "如果你同意，这个人让机器人搜索时，会使用你的次数。",
  platform: "平台",
  chatAccount: "聊天账号",
  chatNumber: "账号编号",
  bot: "机器人",
  keyTitle: "密钥名称",
  expires: "代码{{at, relative}}到期。",
  warning:
    "只有在你刚刚亲自向机器人提出请求，并且它显示的正是这个代码时，才可以同意。名字来自聊天平台，任何人都可以随意取。",
  approve: "同意",
  deny: "拒绝",
  approved: {
    title: "绑定成功",
    text: "你可以关闭这个页面，回到聊天里。随时可以在“API 密钥”里解除。",
  },
  denied: {
    title: "已拒绝",
    text: "没有绑定任何账号。你可以关闭这个页面。",
  },
  unknown: {
    title: "这个代码无法使用",
    text: "可能输错了、已经用过，或者已过期。有效期是 10 分钟。请向机器人要一个新的。",
  },
});
