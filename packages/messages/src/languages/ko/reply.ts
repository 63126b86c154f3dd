import { translate } from "../../translate.ts";

export const reply = translate("ko", "reply", {
  searching: "장면을 찾고 있어요…",
  queued_other: "먼저 보내신 {{count, number}}장을 본 다음에 찾아볼게요.",
  queueFull: {
    title: "하나씩 할게요",
    text: "이미 여러 장이 기다리고 있어요. 그 답을 받은 다음에 다시 보내 주세요.",
  },
  match: {
    alternatives_other: "다른 후보가 {{count, number}}개 더 있어요.",
  },
  uncertain: {
    title: "이건 확실하지 않아요",
    text: "충분히 들어맞는 장면을 찾지 못했어요. 가장 가까운 장면들은 비슷하기만 할 수도 있어요.",
    shown: "가장 가까운 장면 중 하나예요. 비슷하기만 할 수도 있어요.",
  },
  none: {
    title: "이 장면을 찾지 못했어요",
    text: "제가 아는 장면 중에는 비슷한 것이 없어요. 팬아트이거나 아직 없는 작품일 수 있어요.",
  },
  tip: "테두리나 글자, 필터가 없는 반듯한 스크린샷이 가장 잘 돼요.",
  askedBy: "{{name}} 님의 질문",
  sameAsBefore: "전에 물어보신 이미지라서 이번에는 횟수를 쓰지 않았어요.",
  noPreviewHere: "여기서는 미리보기를 보여 드릴 수 없어요.",
  confirmed: "{{name}} 님이 맞다고 표시했어요. 고마워요.",
  rejected: "{{name}} 님이 못 찾았다고 표시했어요. 알려 줘서 고마워요.",
  confirmThanks: "고마워요, 기록했어요.",
  confirmTaken: "이미 표시하셨어요.",
  confirmLate: "이 답은 이제 평가할 수 없어요. 평가는 24시간 동안만 할 수 있어요.",
  onlyAsker: "이 버튼은 물어본 사람만 쓸 수 있어요. 이미지를 직접 보내시면 따로 답해 드릴게요.",
  gone: "너무 오래된 답이라 쓸 수 없어요. 이미지를 다시 보내 주세요.",
  deleted: "삭제했어요.",
  deletedByAsker: "{{name}} 님이 이 답을 삭제했어요.",
  choosePicture: {
    title_other: "여기 이미지가 {{count, number}}장 있어요",
    text: "어느 것을 찾아볼까요?",
    placeholder: "이미지를 고르세요",
    option: "이미지 {{number, number}}",
  },
  picturesTogether: "이미지 {{number, number}} / {{total, number}}",
  noPicture: {
    title: "이미지가 필요해요",
    text: "스크린샷을 보내거나, {{command.find}}에 이미지를 첨부하거나, 이미지에 답장하면서 저를 멘션해 주세요.",
    inMessage: "이 메시지에는 이미지가 없어요.",
    inReply: "답장하신 메시지에는 이미지가 없어요.",
    inCommand: "명령어에 이미지나 주소를 추가해 주세요.",
    notShown: "답장하신 메시지는 Discord가 저에게 보여 주지 않아요.",
  },
  unsupported: {
    title: "이 파일은 읽을 수 없어요",
    text: "이미지(JPEG, PNG, WebP, GIF, BMP, AVIF, TIFF)와 동영상을 지원해요.",
  },
  notAPicture: {
    title: "이건 이미지가 아니에요",
    text: "파일 이름과 달리 안에 이미지가 없어요. 스크린샷을 보내 주세요.",
  },
  tooLarge: {
    title: "이 파일은 너무 커요",
    text: "{{limit, number}}MB까지 받을 수 있어요. 스크린샷이면 충분해요.",
  },
  downloadFailed: {
    title: "이미지를 가져오지 못했어요",
    text: "삭제되었을 수 있어요. 다시 보내 주세요.",
  },
  unreadableVideo: {
    title: "이 동영상은 열 수 없어요",
    text: "그 장면의 스크린샷을 보내 주세요.",
  },
  guestLimit: {
    title: "오늘의 무료 검색을 다 쓰셨어요",
    text: "{{command.link}}로 무료 Koma 계정을 연결하면 매일 더 많이 검색할 수 있어요.",
  },
  creditsGone: {
    title: "크레딧을 다 쓰셨어요",
    text: "무료 크레딧은 매일 자정에 새로 생겨요.",
    buy: "웹사이트에서 살 수도 있어요.",
  },
  notFound: {
    title: "여기에는 이제 아무것도 없어요",
    text: "삭제되었거나 만료되었을 수 있어요.",
  },
  blocked: {
    title: "검색을 도와드릴 수 없어요",
    text: "이 서비스의 운영자가 이용을 제한했어요. 잘못된 것 같다면 운영자에게 문의해 주세요.",
  },
  adultElsewhere: {
    title: "여기서는 이 답을 보여 드릴 수 없어요",
    text: "가장 가까운 결과가 성인용이에요. 연령 제한 채널과 개인 메시지에서만 보여 드려요.",
    private: "가장 가까운 결과가 성인용이라서 본인에게만 보여요.",
    sentPrivately: "답을 개인적으로 보내 드렸어요.",
    writeToMe: "저에게 개인 메시지로 이미지를 보내 주세요.",
    switchedOff: "여기서는 성인용 결과가 꺼져 있어요.",
  },
  notHere: {
    title: "이 채널에서는 답하지 않아요",
    text: "여기에서 물어봐 주세요: {{places}}",
    textNowhere: "이미지를 개인 메시지로 보내 주세요.",
  },
  missingPermission: {
    title: "여기서 필요한 권한이 없어요",
    text: "이 권한이 필요해요: {{permissions, list}}. 관리자가 허용해 줄 수 있어요.",
    view: "채널 보기",
    send: "메시지 보내기",
    embed: "링크 첨부",
    attach: "파일 첨부",
    history: "메시지 기록 보기",
    manage: "메시지 관리",
  },
  privateClosed:
    "개인 메시지를 보낼 수 없어요. 이 서버에서 오는 개인 메시지를 허용하거나, 먼저 저에게 말을 걸어 주세요.",
  sentPrivately: "개인 메시지를 보냈어요.",
  forYouAlone: "이 내용은 본인만 볼 수 있어요. 버튼을 눌러 저와의 개인 채팅을 열면 거기서 알려 드릴게요.",
  smallPreviewOnly:
    "파일이 {{limit, number}}MB를 넘어서 작은 미리보기 그림만 살펴봤어요. 스크린샷을 보내면 더 잘 찾아요.",
  leakedKey: {
    title: "메시지에 API 키가 들어 있었어요",
    textDeleted:
      "메시지는 바로 삭제했지만 누군가 봤을 수도 있어요. Koma 계정에서 그 키를 삭제하고 새로 만들어 주세요.",
    textNotDeleted:
      "저는 메시지를 삭제할 권한이 없어요. 지금 직접 지우고, Koma 계정에서 그 키를 삭제한 다음 새로 만들어 주세요.",
    link: "계정을 연결하려면 {{command.link}} 명령어를 쓰세요. 키를 입력할 필요가 없어요.",
  },
  rankings: {
    title: "가장 많이 검색된 애니메이션",
    entry: "{{rank, number}}. {{anime}}",
    searches_other: "{{count, number}}회 검색",
    empty: "이 기간에는 아직 찾은 사람이 없어요.",
    period: {
      daily: "오늘",
      weekly: "최근 7일",
      monthly: "최근 30일",
      yearly: "최근 365일",
      all: "전체 기간",
    },
  },
  recent: {
    title: "최근에 찾은 장면",
    when: "{{at, relative}}",
    empty: "아직 확인된 검색이 없어요.",
  },
  inline: {
    empty: "최근에 찾은 장면이 없어요",
    start: "장면 찾기",
    description: "{{episode}} · {{at, time}}",
  },
  page: "{{page, number}} / {{total, number}} 페이지",
  oops: "잘되지 않았어요. 잠시 뒤에 다시 시도해 주세요.",
});
