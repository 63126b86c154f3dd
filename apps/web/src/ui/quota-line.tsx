import { hasMoreWithAccount } from "@koma/messages/page";
import { toHref } from "../routing/router.ts";
import { t } from "../state/language.ts";
import { quota } from "../state/quota.ts";
import { session } from "../state/session.ts";
import { site } from "../state/site.ts";

/** The remaining searches, when they reset, and for guests the benefit of an account. */
export function QuotaLine() {
  const left = quota.value;
  if (left === undefined) return <p class="row quota" />;
  const isGuest = left.kind === "guest";
  const dots = Math.min(left.limit, 10);
  const full = left.limit === 0 ? 0 : Math.round((Math.min(left.remaining, left.limit) / left.limit) * dots);
  return (
    <p class="row quota">
      <span class="dots" aria-hidden="true">
        {Array.from({ length: dots }, (_, index) => (
          <i key={index} class={index < full ? "full" : ""} />
        ))}
      </span>
      <span>
        {isGuest
          ? t("web.quota.guest", { count: left.remaining, limit: left.limit })
          : t("web.quota.credits", { count: left.remaining })}
        {left.remaining < left.limit && (
          <>
            {" · "}
            {t("web.quota.resets", { at: new Date(left.resetsAt) })}
          </>
        )}
      </span>
      {isGuest && session.value === null && site.value && (
        <span class="benefit">
          {hasMoreWithAccount({ ...site.value.limits, guestSearchesPerDay: left.limit })
            ? t("web.quota.benefit", { count: site.value.limits.freeCreditsPerDay })
            : t("web.quota.benefitOther")}{" "}
          <a href={toHref("/sign-up")}>{t("web.quota.signUp")}</a>
        </span>
      )}
    </p>
  );
}
