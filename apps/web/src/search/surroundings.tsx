import type { Surroundings as Around, Match } from "@koma/contract";
import { useState } from "preact/hooks";
import { koma, toQuickStillHref } from "../api/koma.ts";
import { t, words } from "../state/language.ts";
import { ErrorPanel } from "../ui/error-panel.tsx";
import { Still } from "../ui/still.tsx";
import { useResponse } from "../ui/use-response.ts";
import { CopyTime, formatExactTime } from "./copy-time.tsx";
import type { Found } from "./searching.ts";

type Props = {
  match: Match;
  found: Found;
  /** The path of the chosen clip; undefined: the clip of the scene. */
  clip: string | undefined;
  onClip: (path: string | undefined) => void;
};

/** The shots before and after a match and clips of other lengths, loaded when the reader opens them. */
export function Surroundings(props: Props) {
  const [wasOpened, setOpened] = useState(false);
  if (props.match.previewPaths === null) return null;
  return (
    <details class="surroundings" onToggle={(event) => event.currentTarget.open && setOpened(true)}>
      <summary>{t("web.result.around")}</summary>
      {wasOpened && <Loaded {...props} />}
    </details>
  );
}

/** The surroundings of a match, and its other occurrences with their stills. */
export function useSurroundings({ rank }: Match, { id, confirmToken }: Found) {
  return useResponse(
    (signal) => koma.getSurroundings({ id, rank, ...(confirmToken && { confirmToken }) }, { signal }),
    [id, rank],
  );
}

function Loaded({ match, found, clip, onClip }: Props) {
  const { value, error, again } = useSurroundings(match, found);
  if (error !== undefined) return <ErrorPanel error={error} retry={again} />;
  if (value === undefined) return <p class="hint">{t("web.common.loading")}</p>;
  return (
    <>
      {value.shots.length === 0 ? (
        <p class="hint">{t("scene.noPreview")}</p>
      ) : (
        <Shots shots={value.shots} timestamp={match.timestamp} />
      )}
      <ClipLengths clips={value.clips} clip={clip} onClip={onClip} />
    </>
  );
}

/** A strip of stills in order of time, with a slider that shows one of them larger. */
function Shots({ shots, timestamp }: { shots: Around["shots"]; timestamp: number }) {
  const foundIndex = shots.findIndex(({ from, to }) => from <= timestamp && timestamp <= to);
  const [index, setIndex] = useState(Math.max(0, foundIndex));
  const shot = shots[index];
  if (shot === undefined) return null;
  const { formatTime } = words();
  // The card of the result shows the same time.
  const at = index === foundIndex ? timestamp : shot.from;
  const text = index === foundIndex ? t("web.result.foundShot", { at }) : formatTime(at);
  return (
    <div class="shots" dir="ltr">
      <Still class="shot" src={toQuickStillHref(shot.stillPath)} alt="" />
      <p class="match-note">
        <bdi>{text}</bdi> <code>{formatExactTime(at)}</code>
        <CopyTime seconds={at} />
      </p>
      <div class="strip">
        {/* The slider below is for the keyboard and for screen readers. */}
        <div class="strip-stills" aria-hidden="true">
          {shots.map(({ from, stillPath }, shotIndex) => (
            <Still
              key={from}
              onClick={() => setIndex(shotIndex)}
              class={`${shotIndex === index ? "chosen" : ""}${shotIndex === foundIndex ? " found" : ""}`}
              src={toQuickStillHref(stillPath)}
              alt=""
            />
          ))}
        </div>
        <input
          type="range"
          min="0"
          max={shots.length - 1}
          step="1"
          value={index}
          aria-label={t("web.result.aroundShots")}
          aria-valuetext={text}
          onInput={(event) => setIndex(Number(event.currentTarget.value))}
        />
      </div>
    </div>
  );
}

function ClipLengths({ clips, clip, onClip }: { clips: Around["clips"] } & Pick<Props, "clip" | "onClip">) {
  // Clips of a short video have the same length.
  const distinct = clips.filter(({ path }, at) => clips.findIndex((one) => one.path === path) === at);
  if (distinct.length === 0) return null;
  const choices = [
    { path: undefined, label: t("web.result.clipOfScene") },
    ...distinct.map(({ from, to, path }) => ({ path, label: words().formatSeconds(Math.floor(to - from)) })),
  ];
  return (
    <fieldset class="wrap clip-lengths">
      <legend>{t("web.result.clipLength")}</legend>
      {choices.map(({ path, label }) => (
        <button
          key={label}
          type="button"
          class="button small"
          aria-current={clip === path}
          onClick={() => onClip(path)}
        >
          {label}
        </button>
      ))}
    </fieldset>
  );
}
