import type { MissingScene, MissingSceneState } from "@koma/contract";
import { chooseTitle, formatEpisode } from "@koma/messages/page";
import { useState } from "preact/hooks";
import { operator } from "../api/operator.ts";
import { notify } from "../state/announce.ts";
import { t, words } from "../state/language.ts";
import { site } from "../state/site.ts";
import { siteText } from "../state/site-texts.ts";
import { Choice } from "../ui/choice.tsx";
import { ErrorPanel } from "../ui/error-panel.tsx";
import { Rows } from "../ui/rows.tsx";
import { SmallButton } from "../ui/small-button.tsx";
import { useResponse } from "../ui/use-response.ts";
import { useWork } from "../ui/use-work.ts";

const pageSize = 50;
const states = ["open", "wanted", "dismissed"] as const;

/** What callers searched and the library does not have, most wanted first. */
export function OperatorMissing() {
  const [state, setState] = useState<MissingSceneState>("open");
  const [page, setPage] = useState(1);
  const response = useResponse(
    (signal) => operator.listMissingScenes({ state, page, pageSize }, { signal }),
    [state, page],
  );
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
        value={state}
        options={states.map((one) => [one, siteText(`site.operator.missingStates.${one}`)])}
        onChange={(value) => {
          setPage(1);
          setState(states.find((one) => one === value) ?? "open");
        }}
      />
      <Rows
        response={response}
        empty={siteText("site.operator.noMissing")}
        paging={{ page, pageSize, onPage: setPage }}
      >
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
      <div class="row-actions">
        {state !== "wanted" && <Mark {...{ scene, name, onDone }} to="wanted" action="want" />}
        {state !== "dismissed" && <Mark {...{ scene, name, onDone }} to="dismissed" action="dismiss" />}
        {state !== "open" && <Mark {...{ scene, name, onDone }} to="open" action="reopen" />}
      </div>
    </li>
  );
}

function Mark(props: {
  scene: MissingScene;
  name: string;
  to: MissingSceneState;
  action: "want" | "dismiss" | "reopen";
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

type Upstream = NonNullable<MissingScene["upstream"]>;

function nameUpstream({ title, episode }: Upstream): string {
  const numbered = formatEpisode(words(), episode);
  return [chooseTitle(title, words().language), numbered].filter((part) => part !== undefined).join(" · ");
}

function linkOf({ anilistId, source }: Upstream): string {
  return anilistId === null ? source.url : `https://anilist.co/anime/${anilistId}`;
}
