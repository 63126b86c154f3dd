import { describeFailure } from "../describe-failure.ts";
import type { Failure } from "../failure.ts";
import { translator } from "../scene-texts.ts";
import { text } from "../texts.ts";
import { background } from "./background.ts";

/** An error: what happened, what to do, and the actions that help. */
export function FailureView(props: { failure: Failure; canCapture: boolean; onRetry: () => void }) {
  const { failure } = props;
  const { title, advice } = describeFailure(failure);
  const retryAt = failure.kind === "api" ? failure.retryAtMs : undefined;
  return (
    <div role="alert">
      <h2 class="title">{title}</h2>
      <p>{advice}</p>
      {retryAt !== undefined && retryAt > Date.now() && (
        <p>{translator.t("error.againAt", { at: new Date(retryAt) })}</p>
      )}
      <p class="actions">
        {isForSettings(failure) && (
          <button type="button" class="main" onClick={() => void background.openSettings()}>
            {text("settings")}
          </button>
        )}
        {isForRetry(failure) && (
          <button type="button" onClick={props.onRetry}>
            {text("retry")}
          </button>
        )}
        {isForRegion(failure) && props.canCapture && (
          <button type="button" onClick={() => void background.capture("region")}>
            {text("startRegion")}
          </button>
        )}
      </p>
      {failure.kind === "api" && failure.requestId !== "" && (
        <details class="small quiet">
          <summary>{text("details")}</summary>
          <p lang="en" dir="ltr">
            {failure.detail}
          </p>
          <p>{translator.t("error.reference", { requestId: failure.requestId })}</p>
        </details>
      )}
    </div>
  );
}

function isForSettings(failure: Failure): boolean {
  if (failure.kind === "local") return failure.reason === "noServer" || failure.reason === "noPermission";
  if (failure.kind !== "api") return true;
  return ["invalid_api_key", "unauthenticated", "forbidden", "guest_limit_reached"].includes(failure.code);
}

function isForRetry(failure: Failure): boolean {
  return failure.kind !== "local" || failure.reason === "noServer" || failure.reason === "noPermission";
}

function isForRegion(failure: Failure): boolean {
  if (failure.kind === "local") return failure.reason === "noImage";
  const codes = [
    "url_fetch_failed",
    "url_not_allowed",
    "unsupported_image_type",
    "image_unreadable",
    "image_too_large",
  ];
  return failure.kind === "api" && codes.includes(failure.code);
}
