import { translate } from "../../translate.ts";

export const link = translate("zh-Hans", "link", {
  title: "绑定你的 Koma 账号",
  text: "打开页面，确认上面显示的是同一个代码，然后点同意。你不需要在这里输入任何密钥或密码。",
  code: "你的代码：{{code}}",
  expires: "代码在{{at, moment}} 之前有效（{{at, relative}}到期）。",
  waiting: "正在等你确认…",
  moved: "绑定最好私下进行，我已经给你发了私信。",
  done: {
    title: "绑定成功",
    text: "以后你的搜索会使用自己的 Koma 账号。想撤销的话，用 {{command.unlink}}。",
  },
  denied: {
    title: "没有绑定",
    text: "请求在页面上被拒绝了。如果是误操作，请再用一次 {{command.link}}。",
  },
  expired: {
    title: "代码过期了",
    text: "有效期是 10 分钟。用 {{command.link}} 可以拿到新的。",
  },
  calledOff: {
    title: "没有绑定",
    text: "这个代码是在你解除绑定、删除数据或以其他方式绑定之后才批准的，我已立即让它的密钥失效。要绑定请用 {{command.link}}。",
  },
  already: {
    title: "你已经绑定了",
    text: "你的搜索正在使用自己的账号。想更换的话，先用 {{command.unlink}} 解除绑定。",
  },
  since: "绑定于 {{at, date}}",
  notLinked: {
    title: "你还没有绑定",
    text: "有了免费账号，每天可以搜索更多次。用 {{command.link}} 绑定。",
  },
  unlinked: {
    title: "已解除绑定",
    text: "我删除了这里保存的密钥，并让它在 Koma 失效了。以后你以访客身份搜索。",
    textKeyRemains: "我删除了这里保存的密钥，但连不上 Koma，没能让它失效。你可以在自己的账号里删除它。",
  },
  keyRefused: {
    title: "你的账号不再绑定",
    text: "Koma 不再接受你的密钥，它可能已被删除或已过期。我已经把它从这里删掉了。可以用 {{command.link}} 重新绑定，也可以继续以访客身份使用。",
  },
  paste: {
    title: "使用已有的 API 密钥",
    label: "你的 Koma API 密钥",
    placeholder: "koma_…",
    invalid: "这不是有效的 Koma API 密钥。请从你的账号里重新复制。",
    notHere: "请不要把密钥发在别人看得到的地方。请改用 {{command.link}}。",
  },
});
