import { translate } from "../../translate.ts";

export const settings = translate("zh-Hans", "settings", {
  title: "你的设置",
  placeTitle: "{{place}} 的设置",
  saved: "已保存。",
  onlyManagers: "只有这个服务器或群组的管理者可以更改。",
  notInPrivate: "这项设置只在服务器和群组里有。",
  automatic: "自动",
  choose: "选择",
  on: "开",
  off: "关",
  language: {
    label: "语言",
    text: "我回答时用的语言。",
    automatic: "自动（跟随应用的语言）",
    changed: "以后我用简体中文回答。",
  },
  adult: {
    label: "成人内容",
    text: "只在开启了年龄限制的地方显示。",
    on: "在有年龄限制的频道显示",
    off: "从不显示",
  },
  preview: {
    label: "预览",
    text: "我怎样显示找到的画面。",
    clip: "短片",
    still: "图片",
    none: "仅文字",
  },
  sound: {
    label: "短片的声音",
    on: "有声",
    off: "静音",
  },
  replies: {
    label: "谁能看到我的回答",
    text: "对命令的回答，可以让所有人看到，也可以只让提问的人看到。",
    public: "所有人",
    private: "仅提问的人",
  },
  channels: {
    label: "我在哪里回答",
    text: "不选的话，我会在能看到的所有频道回答。",
    all: "任何地方",
    some: "仅限这里：{{places}}",
    placeholder: "选择频道",
  },
  listed: {
    label: "公开列表",
    text: "在这里确认过的搜索，能否出现在“最近找到的画面”里。名字绝不会出现。",
    on: "可以出现",
    off: "不出现",
  },
});
