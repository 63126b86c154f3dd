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
import { type RowAction, RowActions } from "../ui/row-actions.tsx";
import { Rows } from "../ui/rows.tsx";
import { formatEpisodeOf, formatTitle } from "../ui/scene-words.ts";
import { SmallButton } from "../ui/small-button.tsx";
import { StateFilter } from "../ui/state-filter.tsx";
import { usePages } from "../ui/use-response.ts";
import { type ReadField, useWork } from "../ui/use-work.ts";
import { formatPart, LabelDialog } from "./operator-labels.tsx";

type Opened = { episode: OperatorEpisode; action: RowAction };

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
  const [opened, setOpened] = useState<Opened | undefined>(undefined);
  const [changed, setChanged] = useState<OperatorEpisode | undefined>(undefined);
  const response = usePages(
    50,
    (page, options) => operator.listOperatorEpisodes({ animeId, ...page }, options),
    { state: undefined as EpisodeState | undefined, query: "" },
    [animeId, props.round],
  );
  const { state, query } = response.filter;
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
  const select = (selected: Partial<typeof response.filter>) => {
    setChanged(undefined);
    response.select(selected);
  };
  return (
    <>
      <OneLineSearch
        label={siteText("site.operator.findEpisodes")}
        query={query}
        onSearch={(text) => select({ query: text })}
      />
      <StateFilter
        value={state}
        states={EpisodeState.options.map((one) => [one, siteText(`site.operator.states.${one}`)])}
        onSelect={(selected) => select({ state: selected })}
      />
      <Rows
        response={response}
        empty={siteText("site.operator.noEpisodes")}
        filter={
          state === undefined && animeId === undefined && query === ""
            ? undefined
            : {
                changed: changed && { title: nameEpisode(changed), is: ({ id }) => id === changed.id },
                onClear: () => {
                  select({ state: undefined, query: "" });
                  if (animeId !== undefined) props.onAll();
                },
              }
        }
        isByTitle
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
  onAction: (action: RowAction) => void;
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
      <RowActions title={title} actions={["edit", "labels", "folder", "remove"]} onAction={props.onAction}>
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
  const work = async (read: ReadField) => {
    await operator.editEpisode({
      id: episode.id,
      season: read("season") === "" ? null : Number(read("season")),
      number: read("number").trim() || null,
      title: read("episodeTitle").trim() || null,
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
      <NumberField name="season" max={999} defaultValue={episode.season?.toString()} />
      <TextField name="number" maxLength={20} defaultValue={episode.number} />
      <TextField name="episodeTitle" maxLength={300} defaultValue={episode.title} />
    </ActionDialog>
  );
}

/** Names all videos in the folder of an episode's video. */
function NameFolder({ episode, onClose, onDone }: DialogProps) {
  const work = async (read: ReadField) => {
    const title = read("animeTitle").trim();
    await operator.nameFolder({
      id: episode.id,
      ...(title !== "" && { title }),
      ...(read("season") !== "" && { season: Number(read("season")) }),
      ...(read("firstEpisode") !== "" && { firstEpisode: Number(read("firstEpisode")) }),
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
      <TextField name="animeTitle" maxLength={300} />
      <NumberField name="season" max={999} />
      <NumberField name="firstEpisode" max={9999} />
    </ActionDialog>
  );
}

type FieldProps<Name extends string> = Pick<Parameters<typeof Field>[0], "max" | "maxLength"> & {
  name: Name;
  defaultValue?: string | null | undefined;
};

function NumberField({ defaultValue, ...props }: FieldProps<"season" | "firstEpisode">) {
  const label = siteText(`site.operator.${props.name}`);
  return (
    <Field {...props} label={label} type="number" min={0} isOptional defaultValue={defaultValue ?? ""} />
  );
}

function TextField({ defaultValue, ...props }: FieldProps<"number" | "episodeTitle" | "animeTitle">) {
  const label = siteText(`site.operator.${props.name}`);
  return <Field {...props} label={label} autocomplete="off" isOptional defaultValue={defaultValue ?? ""} />;
}

function nameEpisode(episode: OperatorEpisode): string {
  const second = formatEpisodeOf({ ...episode, title: episode.title ?? null });
  return t("scene.pair", { first: formatTitle(episode.anime), second });
}
