import type { Match } from "@koma/contract";
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { toQuickStillHref } from "../api/koma.ts";
import { toHref } from "../routing/router.ts";
import { t, words } from "../state/language.ts";
import { formatEpisodeOf, formatTitle } from "./scene-words.ts";
import { Still } from "./still.tsx";

type Scene = Pick<Match, "anime" | "episode" | "timestamp"> & {
  previewPaths: { stills: { s: string } } | null;
};

/** A scene in a list, which links to its search. */
export function SceneCard(props: { scene: Scene; path: string; children?: ComponentChildren }) {
  const { scene, path } = props;
  const [hasFailed, setFailed] = useState(false);
  return (
    <article class="scene">
      <a href={toHref(path)}>
        <span class="scene-still">
          {scene.previewPaths === null || hasFailed ? (
            <span class="no-still">{t("scene.noPreview")}</span>
          ) : (
            <Still
              src={toQuickStillHref(scene.previewPaths.stills.s)}
              alt=""
              width="320"
              height="180"
              onError={() => setFailed(true)}
            />
          )}
          <span class="scene-time">{words().formatTime(scene.timestamp)}</span>
        </span>
        <strong>
          <bdi>{formatTitle(scene.anime)}</bdi>
        </strong>
        <span>{formatEpisodeOf(scene.episode)}</span>
      </a>
      {props.children}
    </article>
  );
}
