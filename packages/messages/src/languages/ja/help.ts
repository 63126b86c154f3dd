import { translate } from "../../translate.ts";

export const help = translate("ja", "help", {
  title: "これ、なんのアニメ？",
  intro: "スクリーンショットを送ってください。作品名と話数、何分何秒の場面かをお答えします。",
  hello: "{{name}}さん、こんにちは。アニメのスクリーンショットを送ってもらえれば、どの場面か探します。",
  ways: {
    title: "聞き方",
    direct: "私との個別チャット：画像・GIF・動画を送るだけです。",
    command: "どこでも：{{command.find}} に画像かURLを付けてください。",
    menu: "誰かのメッセージなら：メニューを開き、「アプリ」から「{{command.findMessage}}」を選んでください。",
    mention: "チャンネルでは：画像と一緒に、または画像への返信で、私にメンションしてください。",
    reply: "グループでは：画像に {{command.find}} で返信するか、私にメンションしてください。",
    inline: "どのチャットでも：私の名前を入力すると、最近見つけたシーンを共有できます。",
  },
  words: {
    title: "付け足せる言葉",
    mute: "mute：クリップの音を消します",
    nocrop: "nocrop：画像をそのまま使います",
    text: "text：プレビューなし",
  },
  answer: {
    title: "結果の見方",
    similarity: "パーセントは、正解である確率の目安です。自信がないときは、正直にそう言います。",
    buttons: "「{{right}}」か「{{wrong}}」で、合っていたか教えてください。",
  },
  tips: {
    title: "見つけやすくするには",
    text: "枠や文字、加工のない、まっすぐなスクリーンショットが向いています。一部の切り抜き、小さな画像、左右反転でも、たいてい見つかります。",
  },
  limits: {
    title: "検索できる回数",
    text: "毎日いくらか無料で使えます。残りは {{command.credits}}、アカウントの連携は {{command.link}} です。",
  },
  commands: "コマンド",
  more: "ほかに：{{command.settings}} · {{command.privacy}} · {{command.forget}}",
});
