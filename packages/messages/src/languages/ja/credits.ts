import { translate } from "../../translate.ts";

export const credits = translate("ja", "credits", {
  title: "検索できる回数",
  remaining_other: "いま、あと{{count, number}}回検索できます。",
  none: "いまは検索できる回数が残っていません。",
  guest: "ゲスト：今日はあと{{remaining, number}}回（1日{{limit, number}}回）",
  free: "今日の無料分：あと{{remaining, number}}回（1日{{limit, number}}回）",
  purchased: "購入分：{{count, number}}回",
  hourly: "この1時間：あと{{remaining, number}}回（上限{{limit, number}}回）",
  resets: "無料分の補充：{{at, relative}}（{{at, moment}}）",
  linkForMore: "無料アカウントがあると、もっと検索できます：{{command.link}}",
  cost: "1回の検索で1クレジット使います。失敗した検索は数えません。",
});
