import { translate } from "../../translate.ts";

export const reply = translate("ja", "reply", {
  searching: "シーンを探しています…",
  queued_other: "先にお預かりした{{count, number}}枚のあとで調べます。",
  queueFull: {
    title: "順番にお調べしています",
    text: "すでに何枚か順番待ちになっています。その結果が出てから、もう一度送ってください。",
  },
  match: {
    alternatives_other: "ほかに{{count, number}}件の候補があります。",
  },
  uncertain: {
    title: "これは自信がありません",
    text: "はっきり一致するシーンは見つかりませんでした。近い候補はありますが、似ているだけかもしれません。",
    shown: "近い候補のひとつです。似ているだけかもしれません。",
  },
  none: {
    title: "このシーンは見つかりませんでした",
    text: "似たシーンがありませんでした。ファンアートか、まだ収録されていない作品かもしれません。",
  },
  tip: "枠や文字、加工のない、まっすぐなスクリーンショットだと見つかりやすいです。",
  askedBy: "{{name}}さんの検索",
  sameAsBefore: "前にも調べた画像なので、今回は回数に数えません。",
  noPreviewHere: "ここではプレビューを表示できません。",
  confirmed: "{{name}}さんが「正解」と評価しました。ありがとうございます。",
  rejected: "{{name}}さんが「違う」と評価しました。教えてくれてありがとうございます。",
  confirmThanks: "ありがとうございます。記録しました。",
  confirmTaken: "もう評価済みです。",
  confirmLate: "この結果はもう評価できません。評価できるのは24時間以内です。",
  onlyAsker: "このボタンを使えるのは、検索した本人だけです。自分の画像を送れば、自分用の結果が届きます。",
  gone: "この結果は古くなったため操作できません。画像をもう一度送ってください。",
  deleted: "削除しました。",
  deletedByAsker: "{{name}}さんがこの結果を削除しました。",
  choosePicture: {
    title_other: "画像が{{count, number}}枚あります",
    text: "どれを調べますか？",
    placeholder: "画像を選ぶ",
    option: "画像{{number, number}}",
  },
  picturesTogether: "画像 {{number, number}} / {{total, number}}",
  noPicture: {
    title: "画像を送ってください",
    text: "スクリーンショットを送るか、{{command.find}} に画像を付けるか、画像への返信で私にメンションしてください。",
    inMessage: "このメッセージには画像がありません。",
    inReply: "返信先のメッセージには画像がありません。",
    inCommand: "コマンドに画像かアドレスを付けてください。",
    notShown: "返信先のメッセージは、Discord が私に見せてくれません。",
  },
  unsupported: {
    title: "このファイルは読み込めません",
    text: "画像（JPEG、PNG、WebP、GIF、BMP、AVIF、TIFF）と動画に対応しています。",
  },
  notAPicture: {
    title: "これは画像ではないようです",
    text: "ファイル名は画像ですが、中身が違います。スクリーンショットを送ってください。",
  },
  tooLarge: {
    title: "ファイルが大きすぎます",
    text: "{{limit, number}} MBまで受け取れます。スクリーンショットでも大丈夫です。",
  },
  downloadFailed: {
    title: "画像を取得できませんでした",
    text: "削除されたのかもしれません。もう一度送ってください。",
  },
  unreadableVideo: {
    title: "この動画は開けません",
    text: "調べたい場面のスクリーンショットを送ってください。",
  },
  guestLimit: {
    title: "今日の無料検索を使い切りました",
    text: "{{command.link}} で無料のKomaアカウントを連携すると、毎日もっと検索できます。",
  },
  creditsGone: {
    title: "クレジットを使い切りました",
    text: "無料クレジットは毎日0時に補充されます。",
    buy: "サイトで購入することもできます。",
  },
  notFound: {
    title: "もうここにはありません",
    text: "削除されたか、期限が切れたようです。",
  },
  blocked: {
    title: "検索をお受けできません",
    text: "このサービスの運営者が利用を制限しています。間違いだと思われる場合は、運営者にお問い合わせください。",
  },
  adultElsewhere: {
    title: "ここでは結果を表示できません",
    text: "いちばん近いのは成人向けの作品です。年齢制限のあるチャンネルかダイレクトメッセージでのみ表示します。",
    private: "成人向けの作品のため、あなただけに表示しています。",
    sentPrivately: "結果は本人だけに送りました。",
    writeToMe: "ダイレクトメッセージで画像を送ってください。",
    switchedOff: "ここでは成人向けの結果を表示しない設定になっています。",
  },
  notHere: {
    title: "このチャンネルではお答えできません",
    text: "こちらで聞いてください：{{places}}",
    textNowhere: "ダイレクトメッセージで画像を送ってください。",
  },
  missingPermission: {
    title: "権限が足りません",
    text: "次の権限が必要です：{{permissions, list}}。モデレーターに許可をお願いしてください。",
    view: "チャンネルを見る",
    send: "メッセージを送信",
    embed: "埋め込みリンク",
    attach: "ファイルを添付",
    history: "メッセージ履歴を読む",
    manage: "メッセージの管理",
  },
  privateClosed:
    "ダイレクトメッセージを送れませんでした。このサーバーからのDMを許可するか、先に私に話しかけてください。",
  sentPrivately: "ダイレクトメッセージを送りました。",
  forYouAlone: "これはあなただけの内容です。ボタンから私とのチャットを開くと、そこでお伝えします。",
  smallPreviewOnly:
    "このファイルは{{limit, number}} MBを超えているため、小さなプレビュー画像だけを調べました。スクリーンショットのほうが確実です。",
  leakedKey: {
    title: "メッセージにAPIキーが含まれていました",
    textDeleted:
      "メッセージはすぐに削除しましたが、誰かが見たかもしれません。Komaのアカウントでそのキーを削除し、新しいキーを作成してください。",
    textNotDeleted:
      "私にはメッセージを削除する権限がありません。いますぐメッセージを消し、Komaのアカウントでそのキーを削除して、新しいキーを作成してください。",
    link: "アカウントの連携には {{command.link}} を使ってください。キーを入力する必要はありません。",
  },
  rankings: {
    title: "よく検索されているアニメ",
    entry: "{{rank, number}}. {{anime}}",
    searches_other: "{{count, number}}回",
    empty: "この期間にはまだ検索がありません。",
    period: {
      daily: "今日",
      weekly: "7日間",
      monthly: "30日間",
      yearly: "365日間",
      all: "全期間",
    },
  },
  recent: {
    title: "最近見つかったシーン",
    when: "{{at, relative}}",
    empty: "確認された検索はまだありません。",
  },
  inline: {
    empty: "最近見つけたシーンはありません",
    start: "シーンを探す",
    description: "{{episode}} · {{at, time}}",
  },
  page: "{{page, number}} / {{total, number}}ページ",
  oops: "うまくいきませんでした。少し待ってからもう一度お試しください。",
});
