import { ApiProblem, NetworkFailure, UnexpectedResponse } from "@koma/client";
import type { ErrorCode } from "@koma/contract";
import { hasMoreWithAccount } from "@koma/messages/page";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { AuthProblem } from "../api/auth.ts";
import { koma } from "../api/koma.ts";
import { toHref } from "../routing/router.ts";
import { ImageRefused, longestVideoSeconds } from "../search/prepare-image.ts";
import { resumePath } from "../search/searching.ts";
import { clock } from "../state/clock.ts";
import { t } from "../state/language.ts";
import { endSession, session } from "../state/session.ts";
import { site } from "../state/site.ts";
import { Icon } from "./icons.tsx";
import { useResponse } from "./use-response.ts";

/**
 * An error in words: what happened, what to do, and when it works again. It offers `retry` where that can
 * help.
 */
export function ErrorPanel(props: {
  error: unknown;
  retry?: (() => void) | undefined;
  /** Scrolls to the panel and focuses its heading, for an error that may be outside of the visible part. */
  takesFocus?: boolean;
  children?: ComponentChildren;
}) {
  const { error, retry, takesFocus = false } = props;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (!takesFocus) return;
    heading.current?.focus({ preventScroll: true });
    heading.current?.scrollIntoView({ block: "center" });
  }, [error, takesFocus]);
  const { title, text } = describe(error);
  const code = error instanceof ApiProblem ? error.code : undefined;
  const until = findTime(error);
  const isWaiting = until !== undefined && until.getTime() > clock.value;
  return (
    <div class="problem" role="alert">
      <Icon name="warning" />
      <div>
        <h2 ref={heading} tabIndex={-1}>
          {title}
        </h2>
        <p>{text}</p>
        {isWaiting && <p class="when">{formatRetryTime(until)}</p>}
        {code === "guest_limit_reached" && site.value && (
          <p>
            {hasMoreWithAccount(site.value.limits) &&
              t("web.errors.benefit", { count: site.value.limits.freeCreditsPerDay })}{" "}
            {takesFocus && t("web.errors.pendingSearch")}
          </p>
        )}
        <p class="wrap actions">
          <ErrorActions code={code} retry={retry} />
          {retry && canHelp(error) && (
            <button type="button" class="button" disabled={isWaiting && isShort(until)} onClick={retry}>
              {t("web.common.retry")}
            </button>
          )}
          {props.children}
        </p>
        <Details error={error} />
      </div>
    </div>
  );
}

/** The actions that can solve an error. */
function ErrorActions({ code, retry }: { code: ErrorCode | undefined; retry: (() => void) | undefined }) {
  const next = encodeURIComponent(location.pathname.slice(toHref("/").length - 1) + location.search);
  switch (code) {
    case "guest_limit_reached":
      return (
        <>
          <a class="button main" href={toHref(`/sign-up?next=${encodeURIComponent(resumePath)}`)}>
            {t("web.errors.signUp")}
          </a>
          <a class="button" href={toHref(`/sign-in?next=${encodeURIComponent(resumePath)}`)}>
            {t("web.errors.signIn")}
          </a>
        </>
      );
    case "credits_exhausted":
      return <BuyLink />;
    case "unauthenticated":
    case "invalid_api_key":
      return (
        <>
          <a class="button main" href={toHref(`/sign-in?next=${next}`)}>
            {t("web.errors.signIn")}
          </a>
          {retry && (
            <button type="button" class="button" onClick={() => void endSession().then(retry)}>
              {t("web.errors.asGuest")}
            </button>
          )}
        </>
      );
    case "two_factor_required":
      return (
        <a class="button main" href={toHref("/account")}>
          {t("web.errors.setUpTwoFactor")}
        </a>
      );
    case "untrusted_origin":
      return site.value === undefined ? null : (
        <a class="button main" data-outside href={site.value.baseUrl}>
          {t("web.errors.openHere", { address: site.value.baseUrl })}
        </a>
      );
    default:
      return null;
  }
}

/** The link to the products; nothing where the instance sells none. */
function BuyLink() {
  const { value } = useResponse((signal) => koma.listProducts({}, { signal }), []);
  if (value === undefined || value.items.length === 0) return null;
  return (
    <a class="button main" href={toHref("/account")}>
      {t("web.errors.buy")}
    </a>
  );
}

/** The detail of the problem and its request id, for reports. */
function Details({ error }: { error: unknown }) {
  if (!(error instanceof ApiProblem) || error.requestId === "") return null;
  return (
    <details>
      <summary>{t("web.errors.showDetail")}</summary>
      <p lang="en" dir="ltr">
        {error.detail}
      </p>
      <p>{t("error.reference", { requestId: error.requestId })}</p>
    </details>
  );
}

function describe(error: unknown): { title: string; text: string } {
  if (error instanceof ImageRefused) {
    const megabytes = Math.floor((site.value?.limits.imageBytes ?? 10_485_760) / 1024 ** 2);
    const limits = { seconds: longestVideoSeconds, megabytes };
    return {
      title: t(`web.search.${error.reason}.title`),
      text: t(`web.search.${error.reason}.text`, limits),
    };
  }
  const own = findOwnTexts(error);
  if (own !== undefined) return { title: t(`web.errors.${own}.title`), text: t(`web.errors.${own}.text`) };
  const isOffline =
    error instanceof NetworkFailure || (error instanceof UnexpectedResponse && error.status >= 500);
  const key = error instanceof ApiProblem ? error.code : isOffline ? "offline" : "unknown";
  const hasNoBenefit = key === "guest_limit_reached" && !hasMoreWithAccount(site.value?.limits);
  return {
    title: t(`error.${key}.title`),
    text: hasNoBenefit ? t("web.errors.guestLimit") : t(`error.${key}.text`),
  };
}

/** The name of the texts of an error that only the page has. */
function findOwnTexts(error: unknown) {
  if (error instanceof ApiProblem && error.code === "unauthenticated" && session.value !== null)
    return "sessionEnded";
  if (error instanceof NetworkFailure && !navigator.onLine) return "noConnection";
  return error instanceof AuthProblem && error.status === 429 ? "tooManyTries" : undefined;
}

/** Whether the same request can succeed later. */
function canHelp(error: unknown): boolean {
  if (error instanceof ApiProblem)
    return (
      error.status === 429 || error.status >= 500 || error.status === 402 || error.code === "url_fetch_failed"
    );
  return (
    error instanceof NetworkFailure || error instanceof UnexpectedResponse || error instanceof AuthProblem
  );
}

const times = new WeakMap<object, Date>();

/**
 * The time when the request works again. It is computed once, because `Retry-After` counts from the response.
 */
function findTime(error: unknown): Date | undefined {
  if (!(error instanceof ApiProblem || error instanceof AuthProblem || error instanceof UnexpectedResponse)) {
    return undefined;
  }
  const known = times.get(error);
  if (known !== undefined) return known;
  const seconds = error.retryAfterSeconds;
  const resetsAt = error instanceof ApiProblem && error.status !== 503 ? error.quota?.resetsAt : undefined;
  const resetMs = resetsAt === undefined ? undefined : Date.parse(resetsAt);
  const atMs = seconds === undefined ? resetMs : Date.now() + seconds * 1000;
  const at = atMs === undefined ? undefined : new Date(atMs);
  if (at !== undefined) times.set(error, at);
  return at;
}

function formatRetryTime(at: Date): string {
  return t(at.getTime() - clock.value < 120_000 ? "error.again" : "error.againAt", { at });
}

/** Whether the wait is short. After a longer wait an account or a purchase may have removed the limit. */
function isShort(at: Date | undefined): boolean {
  return at !== undefined && at.getTime() - Date.now() < 3_600_000;
}
