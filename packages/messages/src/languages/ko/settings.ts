import { translate } from "../../translate.ts";

export const settings = translate("ko", "settings", {
  title: "내 설정",
  placeTitle: "{{place}} 설정",
  saved: "저장했어요.",
  onlyManagers: "이 서버나 그룹의 관리자만 바꿀 수 있어요.",
  notInPrivate: "서버와 그룹에만 있는 설정이에요.",
  automatic: "자동",
  choose: "고르기",
  on: "켬",
  off: "끔",
  language: {
    label: "언어",
    text: "제가 답할 때 쓰는 언어예요.",
    automatic: "자동(앱의 언어)",
    changed: "이제부터 한국어로 답할게요.",
  },
  adult: {
    label: "성인용 결과",
    text: "연령 제한이 켜진 곳에서만 보여요.",
    on: "연령 제한 채널에서 보이기",
    off: "보이지 않기",
  },
  preview: {
    label: "미리보기",
    text: "찾은 장면을 보여 주는 방식이에요.",
    clip: "짧은 클립",
    still: "이미지",
    none: "글만",
  },
  sound: {
    label: "클립 소리",
    on: "소리 켬",
    off: "소리 끔",
  },
  replies: {
    label: "제 답을 볼 수 있는 사람",
    text: "명령어에 대한 답을 모두에게 보일지, 물어본 사람에게만 보일지 정해요.",
    public: "모두",
    private: "물어본 사람만",
  },
  channels: {
    label: "제가 답하는 곳",
    text: "고르지 않으면 볼 수 있는 모든 채널에서 답해요.",
    all: "어디서나",
    some: "여기서만: {{places}}",
    placeholder: "채널을 고르세요",
  },
  listed: {
    label: "공개 목록",
    text: "여기서 확인된 검색이 ‘최근에 찾은 장면’에 나와도 되는지 정해요. 이름은 절대 나오지 않아요.",
    on: "나와도 됨",
    off: "나오지 않음",
  },
});
