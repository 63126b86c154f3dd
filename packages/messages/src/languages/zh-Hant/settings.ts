import { translate } from "../../translate.ts";

export const settings = translate("zh-Hant", "settings", {
  title: "你的設定",
  placeTitle: "{{place}} 的設定",
  saved: "已儲存。",
  onlyManagers: "只有這個伺服器或群組的管理者可以更改。",
  notInPrivate: "這項設定只在伺服器和群組裡有。",
  automatic: "自動",
  choose: "選擇",
  on: "開",
  off: "關",
  language: {
    label: "語言",
    text: "我回答時使用的語言。",
    automatic: "自動（依應用程式的語言）",
    changed: "以後我用繁體中文回答。",
  },
  adult: {
    label: "成人內容",
    text: "只在開啟年齡限制的地方顯示。",
    on: "在有年齡限制的頻道顯示",
    off: "一律不顯示",
  },
  preview: {
    label: "預覽",
    text: "我如何顯示找到的畫面。",
    clip: "短片",
    still: "圖片",
    none: "僅文字",
  },
  sound: {
    label: "短片的聲音",
    on: "有聲",
    off: "靜音",
  },
  replies: {
    label: "誰看得到我的回答",
    text: "對指令的回答，可以讓所有人看到，也可以只讓提問的人看到。",
    public: "所有人",
    private: "僅提問的人",
  },
  channels: {
    label: "我在哪裡回答",
    text: "不選的話，我會在看得到的所有頻道回答。",
    all: "任何地方",
    some: "僅限這裡：{{places}}",
    placeholder: "選擇頻道",
  },
  listed: {
    label: "公開清單",
    text: "在這裡確認過的搜尋，能否出現在「最近找到的畫面」裡。名字絕不會出現。",
    on: "可以出現",
    off: "不出現",
  },
});
