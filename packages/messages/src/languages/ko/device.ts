import { translate } from "../../translate.ts";

export const device = translate("ko", "device", {
  title: "봇 연결",
  intro: "봇이 보여 주는 코드를 입력하세요.",
  code: "코드",
  codePlaceholder: "ABCD-EFGH",
  codeInvalid: "코드는 WDJB-MJHT처럼 영문 여덟 글자예요.",
  next: "계속",
  signIn: "어느 계정인지 알 수 있게 먼저 로그인해 주세요. 그다음 여기로 돌아와요.",
  ask: "{{name}} 님이 연결하려고 해요",
  text: "승인하면 이 사람이 봇에게 부탁할 때 내 크레딧으로 검색해요.",
  platform: "플랫폼",
  chatAccount: "채팅 계정",
  chatNumber: "계정 번호",
  bot: "봇",
  keyTitle: "키 이름",
  expires: "코드는 {{at, relative}} 만료돼요.",
  warning:
    "방금 직접 봇에게 요청했고, 봇이 바로 이 코드를 보여 줄 때만 승인하세요. 이름은 채팅에서 온 것이라 누구나 마음대로 정할 수 있어요.",
  approve: "승인",
  deny: "거절",
  approved: {
    title: "연결됐어요",
    text: "이 페이지를 닫고 채팅으로 돌아가세요. ‘API 키’에서 언제든 끝낼 수 있어요.",
  },
  denied: {
    title: "거절했어요",
    text: "아무것도 연결되지 않았어요. 이 페이지를 닫아도 돼요.",
  },
  unknown: {
    title: "이 코드는 쓸 수 없어요",
    text: "잘못 입력했거나, 이미 썼거나, 만료되었을 수 있어요. 코드는 10분 동안 쓸 수 있어요. 봇에게 새 코드를 받아 주세요.",
  },
});
