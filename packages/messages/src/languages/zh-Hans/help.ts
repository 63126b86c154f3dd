import { translate } from "../../translate.ts";

export const help = translate("zh-Hans", "help", {
  title: "这是哪部动画？",
  intro: "发一张截图给我，我来告诉你是哪部动画、第几集、几分几秒。",
  hello: "{{name}}，你好。发一张动画截图给我，我来找出这个画面。",
  ways: {
    title: "怎么问",
    direct: "私聊我：直接发图片、GIF 或视频。",
    command: "在任何地方：用 {{command.find}}，附上图片或网址。",
    menu: "针对别人的消息：打开消息菜单，选“APP”，再选“{{command.findMessage}}”。",
    mention: "在频道里：发图时提到我，或者回复一张图片并提到我。",
    reply: "在群里：用 {{command.find}} 回复一张图片，或者提到我。",
    inline: "在任何聊天里：输入我的名字，就能分享你最近找到的画面。",
  },
  words: {
    title: "可以加上的词",
    mute: "mute：短片不带声音",
    nocrop: "nocrop：图片原样使用",
    text: "text：不要预览",
  },
  answer: {
    title: "关于结果",
    similarity: "百分比表示正确的可能性。不确定的时候，我会直说。",
    buttons: "点“{{right}}”或“{{wrong}}”，告诉我找得对不对。",
  },
  tips: {
    title: "怎样更容易找到",
    text: "没有边框、文字和滤镜的端正截图效果最好。局部截图、小图和左右翻转的图，往往也能找到。",
  },
  limits: {
    title: "能搜索多少次",
    text: "每天有一些免费次数。{{command.credits}} 查看剩余次数，{{command.link}} 绑定账号。",
  },
  commands: "命令",
  more: "更多：{{command.settings}} · {{command.privacy}} · {{command.forget}}",
});
