import { translate } from "../../translate.ts";

export const reply = translate("zh-Hans", "reply", {
  searching: "正在找这个画面…",
  queued_other: "你前面还有 {{count, number}} 张图片，看完就轮到这张。",
  queueFull: {
    title: "一张一张来",
    text: "你已经有好几张图片在排队了。等它们有结果之后，再发这一张吧。",
  },
  match: {
    alternatives_other: "还有 {{count, number}} 个可能的结果。",
  },
  uncertain: {
    title: "这张我不太确定",
    text: "没有找到足够吻合的画面。最接近的几个也许只是看起来像。",
    shown: "最接近的画面之一，也许只是看起来像。",
  },
  none: {
    title: "没找到这个画面",
    text: "我没见过类似的画面。它可能是同人图，或者出自我还没有收录的作品。",
  },
  tip: "没有边框、文字和滤镜的端正截图效果最好。",
  askedBy: "{{name}} 的提问",
  sameAsBefore: "这张图片你之前问过，这次不计次数。",
  noPreviewHere: "这里无法显示预览。",
  confirmed: "{{name}} 标记为正确。谢谢。",
  rejected: "{{name}} 标记为没找到。谢谢告诉我。",
  confirmThanks: "谢谢，记下了。",
  confirmTaken: "你已经标记过了。",
  confirmLate: "这个结果已经不能评价了。评价要在 24 小时内进行。",
  onlyAsker: "只有提问的人能用这些按钮。发一张你自己的图片，就有你自己的结果。",
  gone: "这个结果太旧，不能再操作了。请重新发送图片。",
  deleted: "已删除。",
  deletedByAsker: "{{name}} 删除了这个结果。",
  choosePicture: {
    title_other: "这里有 {{count, number}} 张图片",
    text: "要找哪一张？",
    placeholder: "选择一张图片",
    option: "图片 {{number, number}}",
  },
  picturesTogether: "图片 {{number, number}} / {{total, number}}",
  noPicture: {
    title: "我需要一张图片",
    text: "发一张截图给我，用 {{command.find}} 附上图片，或者回复一张图片并提到我。",
    inMessage: "这条消息里没有图片。",
    inReply: "你回复的那条消息里没有图片。",
  },
  unsupported: {
    title: "这个文件我读不了",
    text: "支持图片（JPEG、PNG、WebP、GIF、BMP、AVIF、TIFF）和视频。",
  },
  notAPicture: {
    title: "这不是图片",
    text: "不管文件名怎么写，里面并没有图片。请发一张截图。",
  },
  tooLarge: {
    title: "这个文件对我来说太大了",
    text: "最大 {{limit, number}} MB。截一张图就行。",
  },
  downloadFailed: {
    title: "没能取到图片",
    text: "它可能已被删除。请重新发送。",
  },
  unreadableVideo: {
    title: "这个视频打不开",
    text: "请发一张那个画面的截图。",
  },
  guestLimit: {
    title: "你今天的免费次数用完了",
    text: "用 {{command.link}} 绑定免费的 Koma 账号，每天可以搜索更多次。",
  },
  creditsGone: {
    title: "你的搜索次数用完了",
    text: "每天零点会有新的免费次数。",
    buy: "也可以在网站上购买。",
  },
  notFound: {
    title: "这里已经没有内容了",
    text: "可能已被删除或已过期。",
  },
  blocked: {
    title: "我不能为你搜索",
    text: "本服务的运营者限制了使用。如果有误，请联系他们。",
  },
  adultElsewhere: {
    title: "这个结果不能在这里显示",
    text: "最接近的结果是成人内容，我只在有年龄限制的频道和私信里显示。",
    private: "最接近的结果是成人内容，所以只有你能看到。",
    sentPrivately: "结果已经私下发给你了。",
    writeToMe: "请直接私信我，把图片发到那里。",
    switchedOff: "这里关闭了成人内容的结果。",
  },
  notHere: {
    title: "我不在这个频道回答",
    text: "可以在这里问我：{{places}}",
    textNowhere: "请把图片私信发给我。",
  },
  missingPermission: {
    title: "我在这里缺少权限",
    text: "需要这些权限：{{permissions, list}}。可以请管理员开启。",
    view: "查看频道",
    send: "发送消息",
    embed: "嵌入链接",
    attach: "附加文件",
    history: "读取消息历史",
    manage: "删除消息",
  },
  privateClosed: "我没法私信你。请允许来自这个服务器的私信，或者先给我发一条消息。",
  sentPrivately: "已经私信你了。",
  forYouAlone: "这只能告诉你一个人。点按钮打开我们的私聊，我在那里告诉你。",
  smallPreviewOnly: "这个文件超过 {{limit, number}} MB，所以我只看了它的小预览图。发截图效果更好。",
  leakedKey: {
    title: "你的消息里有一个 API 密钥",
    textDeleted: "我马上删除了那条消息，但可能已经有人看到。请在你的 Koma 账号里删除这个密钥，再新建一个。",
    textNotDeleted:
      "我没有权限删除那条消息。请现在就删掉它，然后在你的 Koma 账号里删除这个密钥，再新建一个。",
    link: "绑定账号请用 {{command.link}}，完全不需要输入密钥。",
  },
  rankings: {
    title: "被搜索最多的动画",
    entry: "{{rank, number}}. {{anime}}",
    searches_other: "{{count, number}} 次搜索",
    empty: "这段时间还没有人找到什么。",
    period: {
      daily: "今天",
      weekly: "近 7 天",
      monthly: "近 30 天",
      yearly: "近 365 天",
      all: "全部时间",
    },
  },
  recent: {
    title: "最近找到的画面",
    when: "{{at, relative}}",
    empty: "还没有人确认过搜索结果。",
  },
  inline: {
    empty: "你最近没有找到过画面",
    start: "找一个画面",
    description: "{{episode}} · {{at, time}}",
  },
  page: "第 {{page, number}} 页，共 {{total, number}} 页",
  oops: "没有成功。请稍后再试。",
});
