import { translate } from "../../translate.ts";

export const error = translate("ja", "error", {
  again: "{{at, relative}}にもう一度お試しください。",
  againAt: "{{at, relative}}（{{at, moment}}）にまた使えるようになります。",
  reference: "お問い合わせの際は、この番号をお知らせください：{{requestId}}",
  offline: {
    title: "いまKomaにつながりません",
    text: "こちら側か通信経路の問題です。同じ画像で回数が二重に減ることはありません。少し待ってからもう一度お試しください。",
  },
  unknown: {
    title: "予期しない問題が起きました",
    text: "同じ画像で回数が二重に減ることはありません。少し待ってからもう一度お試しください。",
  },
  invalid_request: {
    title: "入力に誤りがあります",
    text: "内容を確認して、もう一度お試しください。",
  },
  image_required: {
    title: "画像がありません",
    text: "画像か、画像のURLを指定してください。",
  },
  image_and_url: {
    title: "画像とURLの両方が指定されています",
    text: "どちらか一方だけにしてください。",
  },
  url_not_allowed: {
    title: "このURLは開けません",
    text: "http:// か https:// で始まる、公開されたサイトのURLが必要です。画像を保存して直接送ることもできます。",
  },
  unauthenticated: {
    title: "ログインしていません",
    text: "ログインしてからもう一度お試しください。",
  },
  invalid_api_key: {
    title: "このAPIキーは使えません",
    text: "削除されたか、期限が切れたようです。Komaのアカウントで新しいキーを作成してください。",
  },
  credits_exhausted: {
    title: "クレジットを使い切りました",
    text: "無料クレジットは毎日0時に補充されます。",
  },
  untrusted_origin: {
    title: "このページからは操作できません",
    text: "Komaの本来のアドレスを開いて、もう一度お試しください。",
  },
  forbidden: {
    title: "この操作は許可されていません",
    text: "心当たりがない場合は、このサービスの運営者にお問い合わせください。",
  },
  link_denied: {
    title: "連携は拒否されました",
    text: "何も連携されていません。間違いだった場合は、最初からやり直してください。",
  },
  not_found: {
    title: "もうここにはありません",
    text: "削除されたか、期限が切れたようです。もう一度検索してください。",
  },
  confirmation_expired: {
    title: "この検索はもう評価できません",
    text: "評価できるのは24時間以内です。もう一度検索することはできます。",
  },
  link_expired: {
    title: "このコードは期限切れです",
    text: "コードの有効時間は10分です。Botに新しいコードをもらってください。",
  },
  image_too_large: {
    title: "画像が大きすぎます",
    text: "10 MB、5000万画素までです。縮小した画像やスクリーンショットでも大丈夫です。",
  },
  unsupported_image_type: {
    title: "読み込めない形式の画像です",
    text: "JPEGとPNGに対応しています。拡張子ではなく、ファイルの中身で判断します。",
  },
  unsupported_media_type: {
    title: "送信の形式が正しくありません",
    text: "ページを再読み込みして、もう一度お試しください。",
  },
  range_not_satisfiable: {
    title: "ファイルにその部分がありません",
    text: "クリップを最初から再生し直してください。",
  },
  image_unreadable: {
    title: "画像が壊れているようです",
    text: "最後まで読み込めませんでした。保存し直すか、スクリーンショットを撮り直してください。",
  },
  url_fetch_failed: {
    title: "画像を取得できませんでした",
    text: "URLを確認するか、画像を保存して直接送ってください。",
  },
  guest_limit_reached: {
    title: "今日の無料検索を使い切りました",
    text: "無料アカウントを作ると、毎日もっと検索できます。",
  },
  hourly_limit_reached: {
    title: "1時間あたりの上限に達しました",
    text: "少し休憩してください。クレジットは減りません。",
  },
  too_many_requests: {
    title: "操作が少し速すぎます",
    text: "少し待ってください。",
  },
  slow_down: {
    title: "操作が少し速すぎます",
    text: "少し待ってください。",
  },
  internal_error: {
    title: "こちら側で問題が起きました",
    text: "回数は減っていません。少し待ってからもう一度お試しください。",
  },
  search_busy: {
    title: "いま検索が混み合っています",
    text: "回数は減っていません。少し待ってからもう一度お試しください。",
  },
  not_ready: {
    title: "まだ準備中です",
    text: "回数は減っていません。数分後にもう一度お試しください。",
  },
});
