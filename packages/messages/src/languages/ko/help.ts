import { translate } from "../../translate.ts";

export const help = translate("ko", "help", {
  title: "이거 무슨 애니메이션이에요?",
  intro: "스크린샷을 보내 주시면 어떤 애니메이션의 몇 화, 몇 초인지 알려 드려요.",
  hello: "{{name}} 님, 안녕하세요. 애니메이션 스크린샷을 보내 주시면 장면을 찾아 드릴게요.",
  ways: {
    title: "물어보는 방법",
    direct: "저와의 개인 대화에서: 이미지, GIF, 동영상을 그냥 보내세요.",
    command: "어디서나: {{command.find}}에 이미지나 주소를 넣으세요.",
    menu: "다른 사람의 메시지에서: 메뉴를 열고 ‘앱’에서 ‘{{command.findMessage}}’를 고르세요.",
    mention: "채널에서: 이미지와 함께, 또는 이미지에 답장하면서 저를 멘션하세요.",
    reply: "그룹에서: 이미지에 {{command.find}}로 답장하거나 저를 멘션하세요.",
    inline: "어느 대화에서나: 제 이름을 입력하면 최근에 찾은 장면을 공유할 수 있어요.",
  },
  words: {
    title: "덧붙일 수 있는 말",
    mute: "mute: 소리 없는 클립",
    nocrop: "nocrop: 이미지를 있는 그대로 사용",
    text: "text: 미리보기 없음",
  },
  answer: {
    title: "답 읽는 법",
    similarity: "퍼센트는 맞을 가능성이에요. 확실하지 않으면 그렇다고 말해요.",
    buttons: "‘{{right}}’ 또는 ‘{{wrong}}’ 버튼으로 맞았는지 알려 주세요.",
  },
  tips: {
    title: "잘 찾으려면",
    text: "테두리나 글자, 필터가 없는 반듯한 스크린샷이 가장 잘 돼요. 잘라 낸 것, 작은 것, 좌우가 바뀐 것도 대개 찾을 수 있어요.",
  },
  limits: {
    title: "검색 횟수",
    text: "매일 몇 번은 무료예요. 남은 횟수는 {{command.credits}}, 계정 연결은 {{command.link}}에서 할 수 있어요.",
  },
  commands: "명령어",
  more: "더 보기: {{command.settings}} · {{command.privacy}} · {{command.forget}}",
});
