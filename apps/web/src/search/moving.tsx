import type { Match } from "@koma/contract";
import { useEffect, useRef, useState } from "preact/hooks";
import { toOwnPreview } from "../api/koma.ts";
import { t } from "../state/language.ts";
import { Icon } from "../ui/icons.tsx";
import { describeStill } from "../ui/scene-words.ts";

/** The still of a scene, which moves from the moment of the match while it is pointed at, or until it is tapped again. */
export function Moving({ match }: { match: Match }) {
  const [isPlaying, setPlaying] = useState(false);
  const [isSilent, setSilent] = useState(true);
  const [hasFailed, setFailed] = useState(false);
  const waiting = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(waiting.current), []);
  const { imageUrl, videoUrl } = match;

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
    <div class="moving" onPointerEnter={enter} onPointerLeave={leave}>
      {imageUrl === null || hasFailed ? (
        <div class="no-still">{t("scene.noPreview")}</div>
      ) : (
        <img
          src={toOwnPreview(imageUrl, "m")}
          alt={describeStill(match)}
          decoding="async"
          onError={() => setFailed(true)}
        />
      )}
      {isPlaying && videoUrl !== null && <Clip match={match} address={videoUrl} isSilent={isSilent} />}
      {videoUrl !== null && !hasFailed && (
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

function Clip({ match, address, isSilent }: { match: Match; address: string; isSilent: boolean }) {
  const video = useRef<HTMLVideoElement>(null);
  useEffect(() => {
    // The attribute alone does not follow changes.
    if (video.current) video.current.muted = isSilent;
  }, [isSilent]);
  return (
    <video
      ref={video}
      src={toOwnPreview(address, "m")}
      muted
      loop
      autoplay
      playsInline
      aria-hidden="true"
      tabIndex={-1}
      onLoadedMetadata={(event) => {
        const start = findStart(address) ?? match.from;
        event.currentTarget.currentTime = Math.max(0, match.timestamp - start - 0.4);
      }}
    />
  );
}

/** Where in the film a clip begins, as its address says. */
function findStart(address: string): number | undefined {
  const milliseconds = /\/(\d+)-\d+\.mp4/.exec(address)?.[1];
  return milliseconds === undefined ? undefined : Number(milliseconds) / 1000;
}
