import type { Anime } from "@koma/contract";
import { toPreviewHref } from "../api/koma.ts";

/** The cover of an anime, or an empty frame of its size. The title beside it names the anime. */
export function Cover({ anime: { coverPath } }: { anime: Anime }) {
  return (
    <span class="cover" aria-hidden="true">
      {coverPath && (
        <img src={toPreviewHref(coverPath)} alt="" loading="lazy" decoding="async" width="80" height="120" />
      )}
    </span>
  );
}
