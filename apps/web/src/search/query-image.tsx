import type { Match } from "@koma/contract";
import { t } from "../state/language.ts";
import type { Query } from "./searching.ts";

/** The query image; the part outside of the matched region is darkened. */
export function QueryImage({
  query,
  match,
}: {
  query: Extract<Query, { url: string }>;
  match: Match | undefined;
}) {
  const region = match?.region ?? null;
  const percent = (part: number) => `${part * 100}%`;
  return (
    <figure class="asked">
      <div class="asked-frame">
        <img src={query.url} alt={t("web.search.yoursAlt")} />
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
        <strong>{t("web.search.yours")}</strong>
        {region && <span>{t("web.search.cropped")}</span>}
        {match?.isMirrored && <span>{t("scene.mirrored")}</span>}
        {query.isConverted && <span>{t("web.search.converted")}</span>}
      </figcaption>
    </figure>
  );
}
