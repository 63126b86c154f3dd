import type { Match } from "@koma/contract";
import { useEffect, useRef, useState } from "preact/hooks";
import { quickStillWidth, toPreviewHref, toQuickStillHref } from "../api/koma.ts";
import { t } from "../state/language.ts";
import { Icon } from "../ui/icons.tsx";
import { describeStill } from "../ui/scene-words.ts";
import { Still } from "../ui/still.tsx";
import { formatExactTime } from "./copy-time.tsx";

/**
 * The still of a scene. Until it is cut, the reader's own image or another frame of the shot is shown, dimmed and with
 * a sign of loading, because neither is the answer. Its clip plays while a mouse points at it, or after the play button,
 * and can be scrubbed.
 */
export function Moving(props: {
  match: Match;
  /** The address of the image that the scene was found by. */
  ownImage: string | undefined;
  /** The path of a clip that the reader chose and that plays at once, in place of the scene's clip. */
  chosenClip: string | undefined;
}) {
  const { match, ownImage, chosenClip } = props;
  const [isPlaying, setPlaying] = useState(false);
  const [isSilent, setSilent] = useState(true);
  const [hasFailed, setFailed] = useState(false);
  const [sharpness, setSharpness] = useState<"quick" | "exact" | "failed">(
    ownImage === undefined ? "quick" : "exact",
  );
  const [isStillLoading, setStillLoading] = useState(match.previewPaths !== null);
  const [isClipLoading, setClipLoading] = useState(false);
  const isLoading = isStillLoading || (isPlaying && isClipLoading);
  const frame = useRef<HTMLDivElement>(null);
  const waiting = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(waiting.current), []);
  const still = match.previewPaths?.stills.m;
  const clip = chosenClip ?? match.previewPaths?.clips.m;
  useEffect(() => {
    if (chosenClip !== undefined) setPlaying(true);
  }, [chosenClip]);

  // A pointer that only passes by should not make the server cut a clip.
  const enter = (event: PointerEvent) => {
    if (event.pointerType !== "mouse" || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    waiting.current = setTimeout(() => setPlaying(true), 250);
  };
  const leave = (event: PointerEvent) => {
    if (event.pointerType !== "mouse") return;
    clearTimeout(waiting.current);
    setPlaying(false);
  };
  return (
    <div
      ref={frame}
      class={isStillLoading ? "moving still-loading" : "moving"}
      aria-busy={isLoading}
      onPointerEnter={enter}
      onPointerLeave={leave}
    >
      {isStillLoading && ownImage !== undefined && <img class="own-image" src={ownImage} alt="" />}
      {still === undefined || hasFailed ? (
        <div class="no-still">{t("scene.noPreview")}</div>
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
        <Clip match={match} address={clip} isSilent={isSilent} onLoading={setClipLoading} />
      )}
      {isLoading && !hasFailed && (
        <span class="moving-loading">
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
              setPlaying(!isPlaying);
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
  onLoading: (isLoading: boolean) => void;
}) {
  const { match, address, isSilent, onLoading } = props;
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
  useEffect(() => onLoading(true), [address]);
  useEffect(() => {
    // The attribute alone does not follow changes.
    if (video.current) video.current.muted = isSilent;
  }, [isSilent]);
  return (
    <>
      <video
        ref={video}
        src={toPreviewHref(address)}
        muted
        loop
        autoplay
        playsInline
        aria-hidden="true"
        tabIndex={-1}
        onWaiting={() => onLoading(true)}
        onPlaying={() => onLoading(false)}
        onSeeked={() => onLoading(false)}
        onError={() => onLoading(false)}
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
