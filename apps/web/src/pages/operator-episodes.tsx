import { EpisodeState, type OperatorEpisode } from "@koma/contract";
import { useState } from "preact/hooks";
import { operator } from "../api/operator.ts";
import { notify } from "../state/announce.ts";
import { t, words } from "../state/language.ts";
import { siteText } from "../state/site-texts.ts";
import { ActionDialog } from "../ui/action-dialog.tsx";
import { ErrorPanel } from "../ui/error-panel.tsx";
import { Field } from "../ui/field.tsx";
import { OneLineSearch } from "../ui/one-line-search.tsx";
import { RemovalDialog } from "../ui/removal-dialog.tsx";
import { RowActions } from "../ui/row-actions.tsx";
import { Rows } from "../ui/rows.tsx";
import { formatEpisodeOf, formatTitle } from "../ui/scene-words.ts";
import { SmallButton } from "../ui/small-button.tsx";
import { useResponse } from "../ui/use-response.ts";
import { useWork } from "../ui/use-work.ts";
import { formatPart, LabelDialog } from "./operator-labels.tsx";

const pageSize = 50;

const actions = ["edit", "labels", "folder", "remove"] as const;
type Opened = { episode: OperatorEpisode; action: (typeof actions)[number] };

/** Episodes, failed ones first, with actions. */
export function OperatorEpisodeRows(props: {
  animeId: string | undefined;
  /** A change reloads the list. */
  round: number;
  onChange: () => void;
  /** Selects the episodes of all anime. */
  onAll: () => void;
}) {
  const { animeId } = props;
  const [page, setPage] = useState(1);
  const [state, setState] = useState<EpisodeState | undefined>(undefined);
  const [query, setQuery] = useState("");
  const [opened, setOpened] = useState<Opened | undefined>(undefined);
  const [changed, setChanged] = useState<OperatorEpisode | undefined>(undefined);
  const response = useResponse(
    (signal) => operator.listOperatorEpisodes({ page, pageSize, state, animeId, query }, { signal }),
    [page, state, animeId, query, props.round],
  );
  const close = () => setOpened(undefined);
  const onChange = (episode: OperatorEpisode | undefined) => {
    setChanged(episode);
    props.onChange();
  };
  const onDone = (text: string) => {
    close();
    notify(text);
    onChange(opened?.action === "remove" ? undefined : opened?.episode);
  };
  const select = (selected: EpisodeState | undefined) => {
    setPage(1);
    setChanged(undefined);
    setState(selected);
  };
  const search = (text: string) => {
    setPage(1);
    setChanged(undefined);
    setQuery(text);
  };
  return (
    <>
      <OneLineSearch label={siteText("site.operator.findEpisodes")} query={query} onSearch={search} />
      <p class="filters">
        <label>
          {siteText("site.operator.state")}{" "}
          <select
            value={state ?? ""}
            onChange={(event) => select(EpisodeState.safeParse(event.currentTarget.value).data)}
          >
            <option value="">{siteText("site.operator.allStates")}</option>
            {EpisodeState.options.map((one) => (
              <option key={one} value={one}>
                {siteText(`site.operator.states.${one}`)}
              </option>
            ))}
          </select>
        </label>
      </p>
      <Rows
        response={response}
        empty={siteText("site.operator.noEpisodes")}
        filter={
          state === undefined && animeId === undefined && query === ""
            ? undefined
            : {
                changed: changed && { title: nameEpisode(changed), is: ({ id }) => id === changed.id },
                onClear: () => {
                  select(undefined);
                  search("");
                  if (animeId !== undefined) props.onAll();
                },
              }
        }
        paging={{ page, pageSize, isByTitle: true, onPage: setPage }}
      >
        {(episode) => (
          <EpisodeRow
            key={episode.id}
            episode={episode}
            onAction={(action) => setOpened({ episode, action })}
            onRetried={() => onChange(episode)}
          />
        )}
      </Rows>
      {opened?.action === "edit" && <Edit episode={opened.episode} onClose={close} onDone={onDone} />}
      {opened?.action === "labels" && (
        <LabelDialog
          episode={opened.episode}
          name={nameEpisode(opened.episode)}
          onClose={close}
          onDone={onDone}
        />
      )}
      {opened?.action === "folder" && <NameFolder episode={opened.episode} onClose={close} onDone={onDone} />}
      {opened?.action === "remove" && (
        <RemovalDialog
          title={nameEpisode(opened.episode)}
          work={async () => {
            await operator.removeEpisode({ id: opened.episode.id });
            onDone(siteText("site.operator.removed"));
          }}
          onClose={close}
        />
      )}
    </>
  );
}

function EpisodeRow(props: {
  episode: OperatorEpisode;
  onAction: (action: Opened["action"]) => void;
  onRetried: () => void;
}) {
  const { episode } = props;
  const title = nameEpisode(episode);
  const { error, start } = useWork(async () => {
    const { videos } = await operator.retryEpisode({ id: episode.id });
    notify(siteText("site.operator.queued", { count: videos }));
    props.onRetried();
  });
  const facts = [
    siteText("site.operator.frameCount", { count: episode.frameCount }),
    episode.durationSeconds === null ? "" : words().formatTime(episode.durationSeconds),
    episode.indexedAt === null ? "" : words().formatRelative(new Date(episode.indexedAt)),
    ...(episode.labels ?? []).map(formatPart),
  ];
  return (
    <li>
      <div>
        <strong>{title}</strong>{" "}
        <span class={`state ${episode.state}`}>{siteText(`site.operator.states.${episode.state}`)}</span>
        <small>
          <bdi>{episode.fileName}</bdi>
        </small>
        {episode.problem !== null && <small class="wrong">{episode.problem}</small>}
        <small>{facts.filter(Boolean).join(" · ")}</small>
        {error !== undefined && <ErrorPanel error={error} />}
      </div>
      <RowActions title={title} actions={actions} onAction={props.onAction}>
        {episode.state === "failed" && (
          <SmallButton label={`${t("web.common.retry")}: ${title}`} onClick={start}>
            {t("web.common.retry")}
          </SmallButton>
        )}
      </RowActions>
    </li>
  );
}

type DialogProps = { episode: OperatorEpisode; onClose: () => void; onDone: (text: string) => void };

function Edit({ episode, onClose, onDone }: DialogProps) {
  const [season, setSeason] = useState(episode.season?.toString() ?? "");
  const [number, setNumber] = useState(episode.number ?? "");
  const [title, setTitle] = useState(episode.title ?? "");
  const work = async () => {
    await operator.editEpisode({
      id: episode.id,
      season: season.trim() === "" ? null : Number(season),
      number: number.trim() || null,
      title: title.trim() || null,
    });
    onDone(siteText("site.operator.saved"));
  };
  return (
    <ActionDialog
      title={siteText("site.operator.editLabel", { title: nameEpisode(episode) })}
      action={siteText("site.operator.save")}
      work={work}
      onClose={onClose}
    >
      <WholeNumberField
        label={siteText("site.operator.season")}
        max={999}
        value={season}
        onText={setSeason}
      />
      <Field
        label={siteText("site.operator.number")}
        autocomplete="off"
        maxLength={20}
        isOptional
        value={number}
        onText={setNumber}
      />
      <Field
        label={siteText("site.operator.episodeTitle")}
        autocomplete="off"
        maxLength={300}
        isOptional
        value={title}
        onText={setTitle}
      />
    </ActionDialog>
  );
}

/** Names all videos in the folder of an episode's video. */
function NameFolder({ episode, onClose, onDone }: DialogProps) {
  const [title, setTitle] = useState("");
  const [season, setSeason] = useState("");
  const [first, setFirst] = useState("");
  const work = async () => {
    await operator.nameFolder({
      id: episode.id,
      ...(title.trim() !== "" && { title: title.trim() }),
      ...(season !== "" && { season: Number(season) }),
      ...(first !== "" && { firstEpisode: Number(first) }),
    });
    onDone(siteText("site.operator.saved"));
  };
  return (
    <ActionDialog
      title={siteText("site.operator.folderLabel", { title: nameEpisode(episode) })}
      action={siteText("site.operator.save")}
      work={work}
      onClose={onClose}
    >
      <p>{siteText("site.operator.folderHint")}</p>
      <Field
        label={siteText("site.operator.animeTitle")}
        autocomplete="off"
        maxLength={300}
        isOptional
        value={title}
        onText={setTitle}
      />
      <WholeNumberField
        label={siteText("site.operator.season")}
        max={999}
        value={season}
        onText={setSeason}
      />
      <WholeNumberField
        label={siteText("site.operator.firstEpisode")}
        max={9999}
        value={first}
        onText={setFirst}
      />
    </ActionDialog>
  );
}

function WholeNumberField(props: {
  label: string;
  max: number;
  value: string;
  onText: (text: string) => void;
}) {
  return <Field type="number" min={0} isOptional {...props} />;
}

function nameEpisode(episode: OperatorEpisode): string {
  const second = formatEpisodeOf({ ...episode, title: episode.title ?? null });
  return t("scene.pair", { first: formatTitle(episode.anime), second });
}
