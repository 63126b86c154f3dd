import { translate } from "../../translate.ts";

export const lists = translate("ja", "lists", {
  rankings: {
    title: "よく検索されているアニメ",
    period: "期間",
    daily: "今日",
    weekly: "7日間",
    monthly: "30日間",
    yearly: "365日間",
    all: "全期間",
    range: "{{from, date}}〜{{to, date}}",
    includeAdult: "成人向けの作品も含める",
    rank: "順位",
    anime: "アニメ",
    searches: "検索回数",
    count_other: "{{count, number}}回",
    empty: "この期間にはまだ検索がありません。",
  },
  recent: {
    title: "最近見つかったシーン",
    intro:
      "誰かが見つけて、正解だと確認したシーンです。誰がどんな画像で検索したかは、本人にしかわかりません。",
    found: "{{at, relative}}に発見",
    empty: "確認された検索はまだありません。最初のひとりになりませんか。",
  },
});
