import type { MissingScene, MissingSceneState } from "@koma/contract";
import { chooseTitle, formatEpisode } from "@koma/messages/page";
import { operator } from "../api/operator.ts";
import { notify } from "../state/announce.ts";
import { t, words } from "../state/language.ts";
import { site } from "../state/site.ts";
import { siteText } from "../state/site-texts.ts";
import { Choice } from "../ui/choice.tsx";
import { ErrorPanel } from "../ui/error-panel.tsx";
import { Rows } from "../ui/rows.tsx";
import { SmallButton } from "../ui/small-button.tsx";
import { usePages } from "../ui/use-response.ts";
import { useWork } from "../ui/use-work.ts";

const states = ["open", "wanted", "dismissed"] as const;

/** What callers searched and the library does not have, most wanted first. */
export function OperatorMissing() {
  const response = usePages(50, operator.listMissingScenes, { state: "open" as MissingSceneState });
  const days = site.value?.missingDays;
  return (
    <>
      {days !== undefined && (
        <p>
          {days === 0
            ? siteText("site.operator.missingOff")
            : siteText("site.operator.missingHint", { days })}
        </p>
      )}
      <Choice
        label={siteText("site.operator.missingState")}
        value={response.filter.state}
        options={states.map((one) => [one, siteText(`site.operator.missingStates.${one}`)])}
        onChange={(value) => response.select({ state: states.find((one) => one === value) ?? "open" })}
      />
      <Rows response={response} empty={siteText("site.operator.noMissing")}>
        {(scene) => <MissingRow key={scene.id} scene={scene} onDone={response.again} />}
      </Rows>
    </>
  );
}

function MissingRow({ scene, onDone }: { scene: MissingScene; onDone: () => void }) {
  const { searches, lastAt, state, upstream } = scene;
  const name = upstream === null ? siteText("site.operator.missingUnknown") : nameUpstream(upstream);
  return (
    <li>
      <div>
        <strong dir="auto">{name}</strong>
        <small>
          {siteText("site.operator.missingSearches", { count: searches })}
          {" · "}
          <time datetime={lastAt}>{siteText("site.operator.missingLast", { at: new Date(lastAt) })}</time>
          {upstream && (
            <>
              {" · "}
              <a href={linkOf(upstream)} target="_blank" rel="noreferrer">
                {t("scene.source", { source: upstream.source.name })}
              </a>
            </>
          )}
        </small>
      </div>
      <div class="wrap row-actions">
        {marks
          .filter(([to]) => to !== state)
          .map(([to, action]) => (
            <Mark key={to} {...{ scene, name, to, action, onDone }} />
          ))}
      </div>
    </li>
  );
}

function Mark(props: {
  scene: MissingScene;
  name: string;
  to: MissingSceneState;
  action: (typeof marks)[number][1];
  onDone: () => void;
}) {
  const { error, start } = useWork(async () => {
    await operator.markMissingScene({ id: props.scene.id, state: props.to });
    notify(siteText("site.operator.saved"));
    props.onDone();
  });
  const action = siteText(`site.operator.${props.action}`);
  return (
    <>
      <SmallButton
        label={siteText("site.operator.actionLabel", { action, name: props.name })}
        onClick={start}
      >
        {action}
      </SmallButton>
      {error !== undefined && <ErrorPanel error={error} />}
    </>
  );
}

const marks = [
  ["wanted", "want"],
  ["dismissed", "dismiss"],
  ["open", "reopen"],
] as const;

type Upstream = NonNullable<MissingScene["upstream"]>;

function nameUpstream({ title, episode }: Upstream): string {
  const numbered = formatEpisode(words(), episode);
  return [chooseTitle(title, words().language), numbered].filter((part) => part !== undefined).join(" · ");
}

function linkOf({ anilistId, source }: Upstream): string {
  return anilistId === null ? source.url : `https://anilist.co/anime/${anilistId}`;
}
