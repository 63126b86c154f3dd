import { translate } from "../../translate.ts";

export const device = translate("ja", "device", {
  title: "Botを連携",
  intro: "Botに表示されたコードを入力してください。",
  code: "コード",
  codePlaceholder: "ABCD-EFGH",
  codeInvalid: "コードは8文字の英字です。例：WDJB-MJHT",
  next: "次へ",
  signIn: "どのアカウントかわかるように、先にログインしてください。そのあと、ここに戻ります。",
  ask: "{{name}}さんが連携を求めています",
  text: "承認すると、この人がBotに頼んだ検索に、あなたのクレジットが使われます。",
  platform: "サービス",
  chatAccount: "チャットのアカウント",
  chatNumber: "アカウント番号",
  bot: "Bot",
  keyTitle: "キーの名前",
  expires: "コードの期限：{{at, relative}}",
  warning:
    "たったいまご自分でBotに頼んでいて、Botに同じコードが表示されている場合だけ承認してください。名前はチャットから届いたもので、誰でも好きに名乗れます。",
  approve: "承認する",
  deny: "拒否する",
  approved: {
    title: "連携しました",
    text: "このページを閉じて、チャットに戻ってください。「APIキー」からいつでも解除できます。",
  },
  denied: {
    title: "拒否しました",
    text: "何も連携していません。このページを閉じて大丈夫です。",
  },
  unknown: {
    title: "このコードは使えません",
    text: "入力ミスか、使用済みか、期限切れかもしれません。有効時間は10分です。Botに新しいコードをもらってください。",
  },
});
