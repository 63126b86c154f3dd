import { translate } from "../../translate.ts";

export const error = translate("zh-Hans", "error", {
  again: "请在{{at, relative}}再试。",
  againAt: "{{at, relative}}恢复（{{at, moment}}）。",
  reference: "反馈问题时，请附上这个编号：{{requestId}}",
  offline: {
    title: "暂时连不上 Koma",
    text: "问题出在我们这边或网络上，同一张图片不会重复扣除次数。请过一分钟再试。",
  },
  unknown: {
    title: "出了点意外",
    text: "同一张图片不会重复扣除次数。请稍后再试。",
  },
  invalid_request: {
    title: "填写的内容有误",
    text: "请检查后再试一次。",
  },
  image_required: {
    title: "还没有图片",
    text: "请添加一张图片，或者图片的网址。",
  },
  image_and_url: {
    title: "图片和网址只能选一个",
    text: "请只发送其中一个。",
  },
  url_not_allowed: {
    title: "这个网址打不开",
    text: "网址要以 http:// 或 https:// 开头，并且指向公开的网站。也可以把图片保存下来直接发送。",
  },
  unauthenticated: {
    title: "你还没有登录",
    text: "请登录后再试。",
  },
  invalid_api_key: {
    title: "这个密钥无法使用",
    text: "它可能已被删除或已过期。请在你的 Koma 账号里新建一个。",
  },
  credits_exhausted: {
    title: "搜索次数用完了",
    text: "每天零点会有新的免费次数。",
  },
  untrusted_origin: {
    title: "这个页面不能执行该操作",
    text: "请打开 Koma 自己的网址，再试一次。",
  },
  forbidden: {
    title: "你没有权限这样做",
    text: "如果你觉得应该可以，请联系本服务的运营者。",
  },
  link_denied: {
    title: "绑定请求被拒绝了",
    text: "没有绑定任何账号。如果是误操作，重新开始就好。",
  },
  not_found: {
    title: "这里已经没有内容了",
    text: "可能已被删除或已过期。请重新搜索。",
  },
  confirmation_expired: {
    title: "这次搜索已经不能评价了",
    text: "评价要在 24 小时内进行。你可以重新搜索这张图片。",
  },
  link_expired: {
    title: "这个代码已过期",
    text: "代码的有效期是 10 分钟。请向机器人要一个新的。",
  },
  image_too_large: {
    title: "图片太大了",
    text: "最大 10 MB、5000 万像素。缩小一些，或者截一张图就行。",
  },
  unsupported_image_type: {
    title: "Koma 读不了这种图片",
    text: "支持 JPEG 和 PNG。看的是文件内容，不是扩展名。",
  },
  unsupported_media_type: {
    title: "请求的格式不对",
    text: "请刷新页面后再试。",
  },
  range_not_satisfiable: {
    title: "文件里没有这一段",
    text: "请从头播放这段视频。",
  },
  image_unreadable: {
    title: "图片好像损坏了",
    text: "没能完整打开。请重新保存或下载，或者再截一张图。",
  },
  url_fetch_failed: {
    title: "没能从这个网址取到图片",
    text: "请检查网址，或者把图片保存下来直接发送。",
  },
  guest_limit_reached: {
    title: "今天的免费次数用完了",
    text: "注册一个免费账号，每天可以搜索更多次。",
  },
  hourly_limit_reached: {
    title: "这一小时里搜索得太多了",
    text: "请休息一下，次数不会减少。",
  },
  too_many_requests: {
    title: "有点太快了",
    text: "请稍等一下。",
  },
  slow_down: {
    title: "有点太快了",
    text: "请稍等一下。",
  },
  internal_error: {
    title: "我们这边出了点问题",
    text: "没有扣除次数。请稍后再试。",
  },
  search_busy: {
    title: "现在搜索的人很多",
    text: "没有扣除次数。请稍后再试。",
  },
  not_ready: {
    title: "Koma 还在准备中",
    text: "没有扣除次数。请过几分钟再试。",
  },
});
