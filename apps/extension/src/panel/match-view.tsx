import type { Match } from "@koma/contract";
import { formatSimilarity } from "@koma/messages/page";
import { useEffect, useState } from "preact/hooks";
import { translator } from "../scene-texts.ts";
import { text } from "../texts.ts";
import { background } from "./background.ts";
import { describeMatch, listSites } from "./describe-match.ts";

/** One match with its still or clip, and its actions. */
export function MatchView({ match, searchUrl }: { match: Match; searchUrl: string }) {
  const words = describeMatch(match);
  const sites = listSites(match.anime);
  return (
    <article>
      <Media match={match} alternative={words.alternative} />
      <h2 class="title">
        <bdi>{words.title}</bdi>
        {match.anime.isAdult && <b class="adult">{translator.t("scene.adult")}</b>}
      </h2>
      {words.about !== "" && <p class="quiet small">{words.about}</p>}
      <p>{words.episode}</p>
      <p class="time">
        <span dir="ltr">
          <b>{words.time}</b>
          {words.duration !== undefined && <span class="quiet"> / {words.duration}</span>}
        </span>
        {words.label !== undefined && <span class="quiet"> · {words.label}</span>}
      </p>
      <p class={match.isConfident ? "similarity confident" : "similarity"}>
        {formatSimilarity(translator, match)}
      </p>
      {match.source && (
        <p class="small">
          <a href={match.source.url} target="_blank" rel="noreferrer">
            {translator.t("scene.source", { source: match.source.name })}
          </a>
        </p>
      )}
      {match.recurring && (
        <p class="small quiet">{translator.t("scene.recurring", { count: match.recurring.episodes })}</p>
      )}
      <p class="actions">
        <CopyButton words={words.copy} />
        <a class="button" href={searchUrl} target="_blank" rel="noreferrer">
          {text("openInKoma")}
        </a>
        {sites.map(({ name, address }) => (
          <a key={name} href={address} target="_blank" rel="noreferrer">
            {name}
          </a>
        ))}
      </p>
    </article>
  );
}

function CopyButton({ words }: { words: string }) {
  const [state, setState] = useState<"ready" | "copied" | "failed">("ready");
  useEffect(() => setState("ready"), [words]);
  return (
    <>
      <button
        type="button"
        class="main"
        title={words}
        onClick={async () => setState((await copyText(words)) ? "copied" : "failed")}
      >
        {text("copy")}
      </button>
      <span class="small" role="status">
        {state !== "ready" && text(state === "copied" ? "copied" : "copyFailed")}
      </span>
    </>
  );
}

function Media({ match, alternative }: { match: Match; alternative: string }) {
  const [still, setStill] = useState<string | null>();
  const [clip, setClip] = useState<{ state: "loading" | "playing" | "failed"; url?: string }>();
  useEffect(() => {
    let isCurrent = true;
    setStill(match.imageUrl === null ? null : undefined);
    setClip(undefined);
    if (match.imageUrl !== null) {
      void background.loadPreview(match.rank, "still").then((url) => isCurrent && setStill(url ?? null));
    }
    return () => {
      isCurrent = false;
    };
  }, [match]);

  const play = async () => {
    setClip({ state: "loading" });
    const url = await background.loadPreview(match.rank, "clip");
    setClip(url === undefined ? { state: "failed" } : { state: "playing", url });
  };
  const isPlaying = clip?.state === "playing";
  return (
    <div class="media">
      {still === null && <p class="no-still">{translator.t("scene.noPreview")}</p>}
      {typeof still === "string" && <img src={still} alt={alternative} />}
      {isPlaying && (
        <video src={clip.url} autoplay loop muted controls playsInline aria-label={alternative} />
      )}
      {match.videoUrl !== null && !isPlaying && (
        <button type="button" class="play" disabled={clip?.state === "loading"} onClick={() => void play()}>
          {text(clip === undefined ? "playClip" : clip.state === "loading" ? "loadingClip" : "clipFailed")}
        </button>
      )}
    </div>
  );
}

/** Copies text; returns false where neither way of the browser works. */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

/** Works where the policy of the page around the panel forbids the Clipboard API. */
function copyBySelection(text: string): boolean {
  const area = document.createElement("textarea");
  area.value = text;
  document.body.append(area);
  area.select();
  const isCopied = document.execCommand("copy");
  area.remove();
  return isCopied;
}
