import { translate } from "../../translate.ts";

export const link = translate("ja", "link", {
  title: "Komaのアカウントを連携",
  text: "ページを開き、同じコードが表示されていることを確認して、承認してください。ここでキーやパスワードを入力する必要はありません。",
  code: "コード：{{code}}",
  expires: "コードの有効期限は{{at, moment}}（{{at, relative}}）です。",
  waiting: "承認を待っています…",
  moved: "連携は個別のやりとりのほうが安全なので、ダイレクトメッセージを送りました。",
  done: {
    title: "連携しました",
    text: "これからの検索には、ご自分のKomaアカウントを使います。{{command.unlink}} でいつでも解除できます。",
  },
  denied: {
    title: "連携しませんでした",
    text: "ページで拒否されました。間違いだった場合は、もう一度 {{command.link}} を使ってください。",
  },
  expired: {
    title: "コードの期限が切れました",
    text: "有効時間は10分です。{{command.link}} で新しいコードを発行できます。",
  },
  calledOff: {
    title: "連携しませんでした",
    text: "このコードは、連携の解除やデータの削除、別の方法での連携の後に承認されました。そのキーはすぐに無効にしました。連携するには {{command.link}} を使ってください。",
  },
  already: {
    title: "すでに連携済みです",
    text: "検索にはご自分のアカウントを使っています。変更するには、先に {{command.unlink}} で解除してください。",
  },
  since: "{{at, date}}から連携中",
  notLinked: {
    title: "連携していません",
    text: "無料アカウントがあると、毎日もっと検索できます。{{command.link}} で連携できます。",
  },
  unlinked: {
    title: "連携を解除しました",
    text: "ここにあったキーを削除し、Koma側でも無効にしました。これからはゲストとして検索します。",
    textKeyRemains:
      "ここにあったキーは削除しましたが、Komaにつながらず、無効にできませんでした。ご自分のアカウントから削除できます。",
  },
  keyRefused: {
    title: "アカウントの連携が切れました",
    text: "Komaでキーが使えなくなっています。削除されたか、期限が切れたようです。ここにあったキーは消しました。{{command.link}} で連携し直すか、そのままゲストとして使えます。",
  },
  paste: {
    title: "持っているAPIキーを使う",
    label: "KomaのAPIキー",
    placeholder: "koma_…",
    invalid: "KomaのAPIキーとして使えません。アカウントのページからもう一度コピーしてください。",
    notHere: "ほかの人に見える場所にキーを書かないでください。代わりに {{command.link}} を使ってください。",
  },
});
