import { translate } from "../../translate.ts";

export const link = translate("ko", "link", {
  title: "Koma 계정 연결하기",
  text: "페이지를 열고 같은 코드가 보이는지 확인한 다음 승인해 주세요. 여기에 키나 비밀번호를 입력할 필요는 없어요.",
  code: "코드: {{code}}",
  expires: "코드는 {{at, moment}}까지 쓸 수 있어요({{at, relative}} 만료).",
  waiting: "승인을 기다리고 있어요…",
  moved: "연결은 개인 메시지로 하는 게 안전해서 따로 메시지를 보냈어요.",
  done: {
    title: "연결됐어요",
    text: "이제부터 본인의 Koma 계정으로 검색해요. {{command.unlink}}로 되돌릴 수 있어요.",
  },
  denied: {
    title: "연결하지 않았어요",
    text: "페이지에서 요청이 거절되었어요. 실수였다면 {{command.link}} 명령어를 다시 써 주세요.",
  },
  expired: {
    title: "코드가 만료되었어요",
    text: "코드는 10분 동안 쓸 수 있어요. {{command.link}}로 새 코드를 받으세요.",
  },
  calledOff: {
    title: "연결되지 않았어요",
    text: "연결을 끊거나 데이터를 지우거나 다른 방법으로 연결한 뒤에 이 코드가 승인되었어요. 그 키는 바로 없앴어요. 연결하려면 {{command.link}}를 사용해 주세요.",
  },
  already: {
    title: "이미 연결되어 있어요",
    text: "본인의 계정으로 검색하고 있어요. 바꾸려면 먼저 {{command.unlink}}로 연결을 해제해 주세요.",
  },
  since: "{{at, date}}부터 연결됨",
  notLinked: {
    title: "연결되어 있지 않아요",
    text: "무료 계정이 있으면 매일 더 많이 검색할 수 있어요. {{command.link}}로 연결해 보세요.",
  },
  unlinked: {
    title: "연결을 해제했어요",
    text: "여기 있던 키를 삭제하고 Koma에서도 끝냈어요. 이제부터 손님으로 검색해요.",
    textKeyRemains:
      "여기 있던 키는 삭제했지만, Koma에 연결되지 않아 끝내지 못했어요. 본인의 계정에서 삭제할 수 있어요.",
  },
  keyRefused: {
    title: "계정 연결이 끊겼어요",
    text: "Koma가 키를 더 이상 받아 주지 않아요. 삭제되었거나 만료된 것 같아요. 여기 있던 키는 지웠어요. {{command.link}}로 다시 연결하거나 손님으로 계속 쓸 수 있어요.",
  },
  paste: {
    title: "가지고 있는 API 키 사용",
    label: "Koma API 키",
    placeholder: "koma_…",
    invalid: "올바른 Koma API 키가 아니에요. 계정에서 다시 복사해 주세요.",
    notHere: "다른 사람이 볼 수 있는 곳에 키를 올리지 마세요. 대신 {{command.link}} 명령어를 써 주세요.",
  },
});
