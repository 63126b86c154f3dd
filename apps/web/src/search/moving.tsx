import type { Match } from "@koma/contract";
import { useEffect, useRef, useState } from "preact/hooks";
import { quickStillWidth, toPreviewHref, toQuickStillHref } from "../api/koma.ts";
import { t } from "../state/language.ts";
import { Icon } from "../ui/icons.tsx";
import { describeStill } from "../ui/scene-words.ts";

/**
 * The still of a scene: first one of its shot, then the exact one. Its clip plays while a mouse points at it,
 * or after the play button.
 */
export function Moving({ match, isMain }: { match: Match; isMain: boolean }) {
  const [isPlaying, setPlaying] = useState(false);
  const [isSilent, setSilent] = useState(true);
  const [hasFailed, setFailed] = useState(false);
  const [isExact, setExact] = useState(false);
  const [isStillLoading, setStillLoading] = useState(match.previewPaths !== null);
  const [isClipLoading, setClipLoading] = useState(false);
  const isLoading = isStillLoading || (isPlaying && isClipLoading);
  const waiting = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(waiting.current), []);
  const still = match.previewPaths?.stills.m;
  const clip = match.previewPaths?.clips.m;

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
  const showExact = () => {
    if (still === undefined) return;
    const exact = new Image();
    exact.onload = () => setExact(true);
    exact.src = toPreviewHref(still);
  };
  return (
    <div
      class={isStillLoading ? "moving still-loading" : "moving"}
      aria-busy={isLoading}
      onPointerEnter={enter}
      onPointerLeave={leave}
    >
      {still === undefined || hasFailed ? (
        <div class="no-still">{t("scene.noPreview")}</div>
      ) : (
        <img
          src={isExact ? toPreviewHref(still) : toQuickStillHref(still)}
          alt={describeStill(match)}
          decoding="async"
          fetchpriority={isMain ? "high" : "auto"}
          onLoad={(event) => {
            setStillLoading(false);
            if (!isExact && event.currentTarget.naturalWidth <= quickStillWidth) showExact();
          }}
          onError={() => {
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
          <button
            type="button"
            aria-label={t(isPlaying ? "web.result.pause" : "web.result.play")}
            onClick={() => {
              clearTimeout(waiting.current);
              setPlaying(!isPlaying);
            }}
          >
            <Icon name={isPlaying ? "stop" : "play"} />
          </button>
        </div>
      )}
    </div>
  );
}

function Clip(props: {
  match: Match;
  address: string;
  isSilent: boolean;
  onLoading: (isLoading: boolean) => void;
}) {
  const { match, address, isSilent, onLoading } = props;
  const video = useRef<HTMLVideoElement>(null);
  useEffect(() => onLoading(true), [address]);
  useEffect(() => {
    // The attribute alone does not follow changes.
    if (video.current) video.current.muted = isSilent;
  }, [isSilent]);
  return (
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
      onError={() => onLoading(false)}
      onLoadedMetadata={(event) => {
        const start = findStart(address) ?? match.from;
        event.currentTarget.currentTime = Math.max(0, match.timestamp - start - 0.4);
      }}
    />
  );
}

/** The start of a clip in its episode, which its address contains. */
function findStart(address: string): number | undefined {
  const milliseconds = /\/(\d+)-\d+\.mp4/.exec(address)?.[1];
  return milliseconds === undefined ? undefined : Number(milliseconds) / 1000;
}
