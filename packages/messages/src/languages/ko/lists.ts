import { translate } from "../../translate.ts";

export const lists = translate("ko", "lists", {
  rankings: {
    title: "가장 많이 검색된 애니메이션",
    period: "기간",
    daily: "오늘",
    weekly: "7일",
    monthly: "30일",
    yearly: "365일",
    all: "전체 기간",
    range: "{{from, date}} ~ {{to, date}}",
    includeAdult: "성인용 애니메이션 포함",
    rank: "순위",
    anime: "애니메이션",
    searches: "검색 수",
    count_other: "{{count, number}}회 검색",
    empty: "이 기간에는 아직 찾은 사람이 없어요.",
  },
  recent: {
    title: "최근에 찾은 장면",
    intro: "사람들이 찾아서 확인한 장면이에요. 누가 어떤 이미지로 검색했는지는 본인만 알아요.",
    found: "{{at, relative}} 찾음",
    empty: "아직 확인된 검색이 없어요. 첫 번째가 되어 보세요.",
  },
});
