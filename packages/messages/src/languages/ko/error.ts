import { translate } from "../../translate.ts";

export const error = translate("ko", "error", {
  again: "{{at, relative}} 다시 시도해 주세요.",
  againAt: "{{at, relative}} 다시 쓸 수 있어요({{at, moment}}).",
  reference: "문의하실 때 이 번호를 알려 주세요: {{requestId}}",
  offline: {
    title: "지금은 Koma에 연결할 수 없어요",
    text: "저희 쪽이나 네트워크 문제예요. 같은 이미지로 횟수가 두 번 줄지는 않아요. 1분쯤 뒤에 다시 시도해 주세요.",
  },
  unknown: {
    title: "예상하지 못한 문제가 생겼어요",
    text: "같은 이미지로 횟수가 두 번 줄지는 않아요. 잠시 뒤에 다시 시도해 주세요.",
  },
  invalid_request: {
    title: "입력한 내용이 맞지 않아요",
    text: "내용을 확인하고 다시 시도해 주세요.",
  },
  image_required: {
    title: "이미지가 없어요",
    text: "이미지나 이미지 주소를 넣어 주세요.",
  },
  image_and_url: {
    title: "이미지와 주소가 둘 다 있어요",
    text: "둘 중 하나만 보내 주세요.",
  },
  url_not_allowed: {
    title: "이 주소는 열 수 없어요",
    text: "http:// 또는 https:// 로 시작하고 공개된 사이트로 이어지는 주소여야 해요. 이미지를 저장해서 직접 보내도 돼요.",
  },
  unauthenticated: {
    title: "로그인하지 않았어요",
    text: "로그인한 뒤 다시 시도해 주세요.",
  },
  invalid_api_key: {
    title: "이 키는 쓸 수 없어요",
    text: "삭제되었거나 만료되었을 수 있어요. Koma 계정에서 새 키를 만들어 주세요.",
  },
  credits_exhausted: {
    title: "크레딧을 다 썼어요",
    text: "무료 크레딧은 매일 자정에 새로 생겨요.",
  },
  untrusted_origin: {
    title: "이 페이지에서는 할 수 없어요",
    text: "Koma의 원래 주소를 열고 거기서 다시 시도해 주세요.",
  },
  forbidden: {
    title: "권한이 없어요",
    text: "권한이 있어야 한다고 생각하시면 이 서비스의 운영자에게 문의해 주세요.",
  },
  link_denied: {
    title: "연결이 거절되었어요",
    text: "아무것도 연결되지 않았어요. 실수였다면 처음부터 다시 하면 돼요.",
  },
  not_found: {
    title: "여기에는 이제 아무것도 없어요",
    text: "삭제되었거나 만료되었을 수 있어요. 새로 검색해 주세요.",
  },
  confirmation_expired: {
    title: "이 검색은 이제 평가할 수 없어요",
    text: "평가는 24시간 동안만 할 수 있어요. 이미지를 다시 검색할 수는 있어요.",
  },
  link_expired: {
    title: "코드가 만료되었어요",
    text: "코드는 10분 동안 쓸 수 있어요. 봇에게 새 코드를 받아 주세요.",
  },
  image_too_large: {
    title: "이미지가 너무 커요",
    text: "10MB, 5천만 화소까지 가능해요. 작게 줄이거나 스크린샷을 찍어도 충분해요.",
  },
  unsupported_image_type: {
    title: "Koma가 읽을 수 없는 이미지예요",
    text: "JPEG와 PNG를 지원해요. 파일 이름이 아니라 내용으로 판단해요.",
  },
  unsupported_media_type: {
    title: "요청 형식이 맞지 않아요",
    text: "페이지를 새로고침하고 다시 시도해 주세요.",
  },
  range_not_satisfiable: {
    title: "파일에 그런 부분이 없어요",
    text: "클립을 처음부터 다시 재생해 주세요.",
  },
  image_unreadable: {
    title: "이미지가 손상된 것 같아요",
    text: "끝까지 열 수 없어요. 다시 저장하거나 스크린샷을 새로 찍어 주세요.",
  },
  url_fetch_failed: {
    title: "그 주소에서 이미지를 가져오지 못했어요",
    text: "주소를 확인하거나, 이미지를 저장해서 직접 보내 주세요.",
  },
  guest_limit_reached: {
    title: "오늘의 무료 검색을 다 썼어요",
    text: "무료 계정을 만들면 매일 더 많이 검색할 수 있어요.",
  },
  hourly_limit_reached: {
    title: "한 시간 동안 검색을 많이 하셨어요",
    text: "잠시 쉬었다가 해 주세요. 크레딧은 줄지 않아요.",
  },
  too_many_requests: {
    title: "조금 너무 빨라요",
    text: "잠시만 기다려 주세요.",
  },
  slow_down: {
    title: "조금 너무 빨라요",
    text: "잠시만 기다려 주세요.",
  },
  internal_error: {
    title: "저희 쪽에 문제가 생겼어요",
    text: "횟수는 줄지 않았어요. 잠시 뒤에 다시 시도해 주세요.",
  },
  search_busy: {
    title: "지금 검색하는 사람이 많아요",
    text: "횟수는 줄지 않았어요. 잠시 뒤에 다시 시도해 주세요.",
  },
  not_ready: {
    title: "Koma가 아직 준비 중이에요",
    text: "횟수는 줄지 않았어요. 몇 분 뒤에 다시 시도해 주세요.",
  },
});
