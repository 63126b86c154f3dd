import type { Match } from "@koma/contract";
import { say } from "../state/language.ts";
import type { Asked } from "./searching.ts";

/** The picture that was searched, with what was cropped out of it in shadow. */
export function AskedPicture({
  asked,
  match,
}: {
  asked: Extract<Asked, { url: string }>;
  match: Match | undefined;
}) {
  const region = match?.region ?? null;
  const percent = (part: number) => `${part * 100}%`;
  return (
    <figure class="asked">
      <div class="asked-frame">
        <img src={asked.url} alt={say("web.search.yoursAlt")} />
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
        <strong>{say("web.search.yours")}</strong>
        {region && <span>{say("web.search.cropped")}</span>}
        {match?.isMirrored && <span>{say("scene.mirrored")}</span>}
        {asked.isConverted && <span>{say("web.search.converted")}</span>}
      </figcaption>
    </figure>
  );
}
