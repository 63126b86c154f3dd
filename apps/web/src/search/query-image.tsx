import type { Match } from "@koma/contract";
import { claimsOf } from "@koma/messages/page";
import { t } from "../state/language.ts";
import { formatExactTime } from "./copy-time.tsx";
import { QueryMedia } from "./query-media.tsx";
import type { Query } from "./searching.ts";

/** The query image, or the searched frame of a video; the part outside of the matched region is darkened. */
export function QueryImage({
  query,
  match,
  frameSeconds,
}: {
  query: Extract<Query, { url: string }>;
  match: Match | undefined;
  frameSeconds: number | undefined;
}) {
  const { region, isMirrored } = match ? claimsOf(match) : { region: null, isMirrored: false };
  const percent = (part: number) => `${part * 100}%`;
  return (
    <figure class="asked">
      <div class="asked-frame">
        <QueryMedia
          url={query.url}
          isVideo={query.isVideo}
          label={t("web.search.yoursAlt")}
          atSeconds={frameSeconds}
        />
        {region && (
          <div
            class="region"
            style={{
              left: percent(region.x),
              top: percent(region.y),
              width: percent(region.width),
              height: percent(region.height),
            }}
          />
        )}
      </div>
      <figcaption>
        <strong>{t(query.isVideo ? "web.search.yourVideo" : "web.search.yours")}</strong>
        {frameSeconds !== undefined && (
          <span>{t("web.search.queryFrame", { time: formatExactTime(frameSeconds) })}</span>
        )}
        {region && <span>{t("web.search.cropped")}</span>}
        {isMirrored && <span>{t("scene.mirrored")}</span>}
        {query.isConverted && <span>{t("web.search.converted")}</span>}
      </figcaption>
    </figure>
  );
}
