import type { Match } from "@koma/contract";
import { useEffect, useRef, useState } from "preact/hooks";
import { quickStillWidth, toPreviewHref, toQuickStillHref } from "../api/koma.ts";
import { t } from "../state/language.ts";
import { Icon } from "../ui/icons.tsx";
import { describeStill } from "../ui/scene-words.ts";
import { Still } from "../ui/still.tsx";
import { formatExactTime } from "./copy-time.tsx";
import { mayPlayByItself, useIsInView, wantsNoMotion } from "./playing-by-itself.ts";

/**
 * The still of a scene. Until it is cut, the reader's own image or another frame of the shot is shown, dimmed and with
 * a sign of loading, because neither is the answer. Its clip plays while a mouse points at it, or after the play button,
 * and can be scrubbed. That of a sure match plays by itself, without sound and while it is in view, after its still is
 * there, unless the reader wants no motion or less data. Without a still, the reader's own image is shown with words
 * that say so.
 */
export function Moving(props: {
  match: Match;
  /** The address of the image that the scene was found by. */
  ownImage: string | undefined;
  /** The path of a clip that the reader chose and that plays at once, in place of the scene's clip. */
  chosenClip: string | undefined;
  isSure: boolean;
}) {
  const { match, ownImage, chosenClip, isSure } = props;
  const [isPlaying, setPlaying] = useState(false);
  // The clip began without a press.
  const [isAutomatic, setAutomatic] = useState(false);
  const [wasStopped, setStopped] = useState(false);
  const [isSilent, setSilent] = useState(true);
  const [hasFailed, setFailed] = useState(false);
  const [sharpness, setSharpness] = useState<"quick" | "exact" | "failed">(
    ownImage === undefined ? "quick" : "exact",
  );
  const [isStillLoading, setStillLoading] = useState(match.previewPaths !== null);
  const [isClipLoading, setClipLoading] = useState(false);
  const isLoading = isStillLoading || (isPlaying && isClipLoading && !isAutomatic);
  const frame = useRef<HTMLDivElement>(null);
  const isInView = useIsInView(frame);
  const waiting = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(waiting.current), []);
  const still = match.previewPaths?.stills.m;
  const isMissing = still === undefined || hasFailed;
  const clip = chosenClip ?? match.previewPaths?.clips?.m;
  useEffect(() => {
    if (chosenClip !== undefined) play(false);
  }, [chosenClip]);
  // The exact still is cut first: it is the answer.
  const isDue = isSure && isInView && sharpness === "exact" && !isStillLoading && !hasFailed && !wasStopped;
  useEffect(() => {
    if (isDue && !isPlaying && mayPlayByItself()) play(true);
  }, [isDue]);

  function play(isAutomatic: boolean): void {
    setAutomatic(isAutomatic);
    setPlaying(true);
  }

  // A pointer that only passes by should not make the server cut a clip.
  const enter = (event: PointerEvent) => {
    if (event.pointerType !== "mouse" || wasStopped || wantsNoMotion()) return;
    waiting.current = setTimeout(() => setPlaying(true), 250);
  };
  const leave = (event: PointerEvent) => {
    if (event.pointerType !== "mouse") return;
    clearTimeout(waiting.current);
    if (!isAutomatic) setPlaying(false);
  };
  return (
    <div
      ref={frame}
      class={`moving${isStillLoading ? " still-loading" : ""}${isMissing && ownImage === undefined ? " bare" : ""}`}
      aria-busy={isLoading}
      onPointerEnter={enter}
      onPointerLeave={leave}
    >
      {(isStillLoading || isMissing) && ownImage !== undefined && (
        <img class="own-image" src={ownImage} alt={isMissing ? t("web.search.yoursAlt") : ""} />
      )}
      {isMissing ? (
        <p class={ownImage === undefined ? "no-still" : "moving-sign"}>{t("scene.noPreview")}</p>
      ) : (
        <Still
          src={sharpness === "exact" ? toPreviewHref(still) : toQuickStillHref(still)}
          alt={describeStill(match)}
          onLoad={(event) => {
            const isQuick = event.currentTarget.naturalWidth <= quickStillWidth;
            if (sharpness === "quick" && isQuick) setSharpness("exact");
            else setStillLoading(false);
          }}
          onError={() => {
            if (sharpness === "exact") {
              setSharpness("failed");
              return;
            }
            setFailed(true);
            setStillLoading(false);
          }}
        />
      )}
      {isPlaying && clip !== undefined && (
        <Clip
          match={match}
          address={clip}
          isSilent={isSilent}
          isResting={isAutomatic && isSilent && !isInView}
          onLoading={setClipLoading}
          onRefused={() => setPlaying(false)}
        />
      )}
      {isLoading && !hasFailed && (
        <span class="moving-sign moving-loading">
          <span class="spinner" aria-hidden="true" />
          {t("web.common.loading")}
        </span>
      )}
      {clip !== undefined && !hasFailed && (
        <div class="moving-buttons">
          {isPlaying && (
            <button
              type="button"
              aria-label={t(isSilent ? "web.result.soundOn" : "web.result.soundOff")}
              onClick={() => setSilent(!isSilent)}
            >
              <Icon name={isSilent ? "silent" : "sound"} />
            </button>
          )}
          {isPlaying && document.fullscreenEnabled && (
            <button
              type="button"
              aria-label={t("web.result.fullScreen")}
              onClick={() => void toggleFullScreen(frame.current)}
            >
              <Icon name="expand" />
            </button>
          )}
          <button
            type="button"
            aria-label={t(isPlaying ? "web.result.pause" : "web.result.play")}
            onClick={() => {
              clearTimeout(waiting.current);
              setStopped(isPlaying);
              if (isPlaying) setPlaying(false);
              else play(false);
              if (document.fullscreenElement !== null) void toggleFullScreen(frame.current);
            }}
          >
            <Icon name={isPlaying ? "stop" : "play"} />
          </button>
        </div>
      )}
    </div>
  );
}

async function toggleFullScreen(element: HTMLElement | null): Promise<void> {
  // The browser can reject both.
  const change =
    document.fullscreenElement === null ? element?.requestFullscreen() : document.exitFullscreen();
  await change?.catch(() => undefined);
}

/** The clip, and a slider of its position. */
function Clip(props: {
  match: Match;
  address: string;
  isSilent: boolean;
  /** The clip is outside the visible part of the page. */
  isResting: boolean;
  onLoading: (isLoading: boolean) => void;
  /** The browser does not play a clip without a press, or the clip could not be loaded. */
  onRefused: () => void;
}) {
  const { match, address, isSilent, isResting, onLoading, onRefused } = props;
  // Until then the still is seen through it.
  const [isShown, setShown] = useState(false);
  const video = useRef<HTMLVideoElement>(null);
  const start = findStart(address) ?? match.from;
  const [position, setPosition] = useState({ seconds: 0, ofSeconds: 0 });
  const follow = (event: { currentTarget: HTMLVideoElement }) => {
    const { currentTime: seconds, duration } = event.currentTarget;
    setPosition({ seconds, ofSeconds: Number.isFinite(duration) ? duration : 0 });
  };
  const scrub = (seconds: number) => {
    if (video.current === null) return;
    video.current.pause();
    video.current.currentTime = seconds;
  };
  const ready = () => {
    setShown(true);
    onLoading(false);
  };
  useEffect(() => {
    onLoading(true);
    setShown(false);
  }, [address]);
  useEffect(() => {
    if (isResting) video.current?.pause();
    else
      video.current?.play().catch((error: unknown) => {
        // Another call interrupts a play with AbortError.
        if (error instanceof DOMException && error.name === "NotAllowedError") onRefused();
      });
  }, [isResting, address]);
  useEffect(() => {
    // The attribute alone does not follow changes.
    if (video.current) video.current.muted = isSilent;
  }, [isSilent]);
  return (
    <>
      <video
        ref={video}
        class={isShown ? "shown" : undefined}
        src={toPreviewHref(address)}
        muted
        loop
        autoplay
        playsInline
        aria-hidden="true"
        tabIndex={-1}
        onWaiting={() => onLoading(true)}
        onPlaying={ready}
        onSeeked={ready}
        onError={onRefused}
        onTimeUpdate={follow}
        onLoadedMetadata={(event) => {
          follow(event);
          event.currentTarget.currentTime = Math.max(0, match.timestamp - start - 0.4);
        }}
      />
      <input
        class="scrub"
        type="range"
        min="0"
        max={position.ofSeconds}
        step="0.04"
        value={position.seconds}
        aria-label={t("web.result.position")}
        aria-valuetext={formatExactTime(start + position.seconds)}
        onInput={(event) => scrub(Number(event.currentTarget.value))}
        onChange={() => void video.current?.play().catch(() => undefined)}
      />
    </>
  );
}

/** The start of a clip in its episode, which its address contains. */
function findStart(address: string): number | undefined {
  const milliseconds = /\/(\d+)-\d+\.mp4/.exec(address)?.[1];
  return milliseconds === undefined ? undefined : Number(milliseconds) / 1000;
}
