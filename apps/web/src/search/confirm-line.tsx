import type { Match } from "@koma/contract";
import { toAddress } from "../routing/router.ts";
import { notify } from "../state/announce.ts";
import { t } from "../state/language.ts";
import { copyText } from "../ui/copy-text.tsx";
import { Icon } from "../ui/icons.tsx";
import { nameMatch } from "../ui/scene-words.ts";
import { confirmMatch } from "./confirmation.ts";
import { CorrectionForm } from "./correction-form.tsx";
import type { Found } from "./searching.ts";

/** The actions on a result: share it, reject all matches, and remove the confirmation. */
export function ConfirmLine({ found, shown }: { found: Found; shown: Match | undefined }) {
  const { confirmedRank, isOwn, isPublic } = found;
  return (
    <div class="row confirm-line">
      {shown && confirmedRank !== 0 && (
        <button type="button" class="button" onClick={() => void share(found, shown)}>
          <Icon name="link" />
          {t(canShare() ? "web.result.shareNative" : "web.result.share")}
        </button>
      )}
      {isOwn && confirmedRank === null && (
        <button type="button" class="button" onClick={() => void confirmMatch(0)}>
          {t("web.result.confirmNone")}
        </button>
      )}
      {isOwn && confirmedRank !== null && (
        <>
          {confirmedRank === 0 && <span>{t("web.result.confirmedNone")}</span>}
          <button type="button" class="button undo" onClick={() => void confirmMatch(null)}>
            <Icon name="undo" />
            {t("web.result.undo")}
          </button>
        </>
      )}
      {isOwn && confirmedRank === 0 && <CorrectionForm />}
      {shown && confirmedRank !== 0 && <small>{t(hintKey({ isOwn, isPublic, confirmedRank }))}</small>}
    </div>
  );
}

function hintKey({ isOwn, isPublic, confirmedRank }: Pick<Found, "isOwn" | "isPublic" | "confirmedRank">) {
  if (!isPublic) return "web.result.sharePrivate";
  return isOwn && confirmedRank === null ? "web.result.shareFirst" : "web.result.shareHint";
}

/**
 * Shares or copies the title, episode, time and link. It confirms the match first, which makes the link
 * public.
 */
async function share(found: Found, match: Match): Promise<void> {
  if (found.isOwn && found.confirmedRank === null && !(await confirmMatch(match.rank))) return;
  const url = found.isPublic ? toAddress(`/search/${found.id}`) : undefined;
  const text = nameMatch(match);
  if (canShare()) {
    // The browser rejects where the reader closes its dialog.
    await navigator.share({ text, ...(url !== undefined && { url }) }).catch(() => undefined);
  } else if (await copyText(url === undefined ? text : `${text}\n${url}`)) {
    notify(t(url === undefined ? "web.result.copiedPrivate" : "web.result.copied"));
  }
}

/** Phones share with other apps; on computers the clipboard is more useful. */
function canShare(): boolean {
  return "share" in navigator && matchMedia("(hover: none)").matches;
}
