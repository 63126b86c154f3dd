import { translate } from "../../translate.ts";

export const privacy = translate("zh-Hans", "privacy", {
  title: "你的隐私",
  picture: {
    title: "你的图片",
    text: "图片比对完就丢弃，不会保存，也没有人会看到。",
  },
  searches: {
    title: "你的搜索",
    text: "结果会保存 24 小时，方便你翻看和评价。有账号的话，会留在你的历史记录里，可以随时删除。私信里的搜索绝不会公开。其他地方确认过的搜索可能出现在公开列表里，但不带你的名字和图片。",
  },
  bot: {
    title: "机器人保存什么",
    text: "你的设置和最近 24 小时的结果，用一个看不出你聊天账号的代码保存。如果绑定了账号，还有加密保存的密钥。Koma 也用这样的代码来统计免费次数。",
  },
  messages: {
    title: "你的消息",
    text: "我会回应命令、提到我的消息、对我的回复和私信。对于我能看到的其他消息，我只检查有没有人误发 Koma 的 API 密钥。",
  },
  delete: {
    title: "怎样删除",
    text: "{{command.forget}} 会立刻删除我知道的关于你的一切。{{command.unlink}} 只删除密钥。",
  },
  forget: {
    title: "要删除关于你的一切吗？",
    text: "你的设置、结果和账号绑定会立刻删除，密钥在 Koma 也会失效。你的 Koma 账号本身会保留。",
    done: "完成。我知道的关于你的一切都删除了。",
    doneKeyRemains:
      "完成。我知道的关于你的一切都删除了。但连不上 Koma，没能让你的密钥失效，你可以在自己的账号里删除它。",
    kept: "什么都没有删除。",
  },
});
