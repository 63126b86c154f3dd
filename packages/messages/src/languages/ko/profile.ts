import { translate } from "../../translate.ts";

export const profile = translate("ko", "profile", {
  name: "Koma · 애니메이션 장면 찾기",
  short: "애니메이션 스크린샷을 보내 주세요. 어떤 작품의 몇 화, 몇 초인지 찾아 드려요.",
  long: "이거 무슨 애니메이션이에요? 스크린샷, GIF, 짧은 동영상을 보내 주시면 어떤 작품의 몇 화, 몇 초인지 장면 미리보기와 함께 알려 드려요. 확실하지 않으면 그렇다고 말해요. 그룹에서도 쓸 수 있어요. 보내신 이미지는 저장하지 않아요.",
});
