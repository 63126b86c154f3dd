import { translate } from "../../translate.ts";

export const credits = translate("ko", "credits", {
  title: "남은 검색 횟수",
  remaining_other: "지금 {{count, number}}번 더 검색할 수 있어요.",
  none: "지금은 남은 검색 횟수가 없어요.",
  guest: "손님: 오늘 {{limit, number}}번 중 {{remaining, number}}번 남음",
  free: "오늘의 무료: {{limit, number}}번 중 {{remaining, number}}번 남음",
  purchased: "구매한 크레딧: {{count, number}}",
  hourly: "이번 한 시간: {{limit, number}}번 중 {{remaining, number}}번 남음",
  resets: "무료 검색이 새로 생기는 때: {{at, relative}}({{at, moment}})",
  linkForMore: "무료 계정이 있으면 더 검색할 수 있어요: {{command.link}}",
  cost: "한 번 검색에 크레딧 하나를 써요. 실패한 검색은 세지 않아요.",
});
