import { translate } from "../../translate.ts";

export const settings = translate("ja", "settings", {
  title: "あなたの設定",
  placeTitle: "{{place}}の設定",
  saved: "保存しました。",
  onlyManagers: "変更できるのは、このサーバーやグループの管理者だけです。",
  notInPrivate: "これはサーバーとグループだけの設定です。",
  automatic: "自動",
  choose: "選ぶ",
  on: "オン",
  off: "オフ",
  language: {
    label: "言語",
    text: "返答に使う言語です。",
    automatic: "自動（アプリの言語）",
    changed: "これからは日本語でお答えします。",
  },
  adult: {
    label: "成人向けの結果",
    text: "年齢制限がオンの場所でのみ表示します。",
    on: "年齢制限チャンネルで表示する",
    off: "表示しない",
  },
  preview: {
    label: "プレビュー",
    text: "シーンの見せ方です。",
    clip: "短いクリップ",
    still: "画像",
    none: "文字だけ",
  },
  sound: {
    label: "クリップの音",
    on: "音あり",
    off: "音なし",
  },
  replies: {
    label: "返答を見られる人",
    text: "コマンドへの返答を、全員に見せるか、聞いた人だけに見せるかを選びます。",
    public: "全員",
    private: "聞いた人だけ",
  },
  channels: {
    label: "返答する場所",
    text: "選ばなければ、見えるすべてのチャンネルで返答します。",
    all: "どこでも",
    some: "ここだけ：{{places}}",
    placeholder: "チャンネルを選ぶ",
  },
  listed: {
    label: "公開リスト",
    text: "ここで確認された検索を「最近見つかったシーン」に載せてよいかどうかです。名前は載りません。",
    on: "載せてよい",
    off: "載せない",
  },
});
