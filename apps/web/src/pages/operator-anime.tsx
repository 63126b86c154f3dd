import type { Anime, OperatorAnime } from "@koma/contract";
import { useState } from "preact/hooks";
import { operator } from "../api/operator.ts";
import { notify } from "../state/announce.ts";
import { words } from "../state/language.ts";
import { siteText } from "../state/site-texts.ts";
import { ActionDialog } from "../ui/action-dialog.tsx";
import { ErrorPanel } from "../ui/error-panel.tsx";
import { Field } from "../ui/field.tsx";
import { OneLineSearch } from "../ui/one-line-search.tsx";
import { RemovalDialog } from "../ui/removal-dialog.tsx";
import { type RowAction, RowActions } from "../ui/row-actions.tsx";
import { Rows } from "../ui/rows.tsx";
import { formatTitle } from "../ui/scene-words.ts";
import { SmallButton } from "../ui/small-button.tsx";
import { usePages, useResponse } from "../ui/use-response.ts";
import type { ReadField } from "../ui/use-work.ts";

/** The anime of the library, with dialogs that edit, merge and remove them. */
export function OperatorAnimeRows(props: {
  /** A change reloads the list. */
  round: number;
  onChange: (animeId: string) => void;
  onSelect: (anime: Anime) => void;
}) {
  const [opened, setOpened] = useState<{ anime: Anime; action: RowAction } | undefined>(undefined);
  const [edited, setEdited] = useState<Anime | undefined>(undefined);
  const response = usePages(10, operator.listOperatorAnime, { query: "" }, [props.round]);
  const { query } = response.filter;
  const close = () => setOpened(undefined);
  const onDone = (text: string) => {
    close();
    notify(text);
    setEdited(opened?.action === "edit" ? opened.anime : undefined);
    if (opened) props.onChange(opened.anime.id);
  };
  const search = (text: string) => {
    setEdited(undefined);
    response.select({ query: text });
  };
  return (
    <>
      <OneLineSearch label={siteText("site.operator.findAnime")} query={query} onSearch={search} />
      <Rows
        response={response}
        empty={siteText("site.operator.noAnime")}
        filter={
          query === ""
            ? undefined
            : {
                changed: edited && { title: formatTitle(edited), is: ({ anime }) => anime.id === edited.id },
                onClear: () => search(""),
              }
        }
        isByTitle
      >
        {(item) => (
          <AnimeRow
            key={item.anime.id}
            item={item}
            onSelect={props.onSelect}
            onAction={(action) => setOpened({ anime: item.anime, action })}
          />
        )}
      </Rows>
      {opened?.action === "edit" && <Edit anime={opened.anime} onClose={close} onDone={onDone} />}
      {opened?.action === "merge" && <Merge anime={opened.anime} onClose={close} onDone={onDone} />}
      {opened?.action === "remove" && (
        <RemovalDialog
          title={formatTitle(opened.anime)}
          work={async () => {
            await operator.removeAnime({ id: opened.anime.id });
            onDone(siteText("site.operator.removed"));
          }}
          onClose={close}
        />
      )}
    </>
  );
}

function AnimeRow(props: {
  item: OperatorAnime;
  onSelect: (anime: Anime) => void;
  onAction: (action: RowAction) => void;
}) {
  const { anime, episodes } = props.item;
  const title = formatTitle(anime);
  const counts = (["failed", "indexing", "pending", "ready"] as const)
    .filter((state) => episodes[state] > 0)
    .map((state) => `${words().formatNumber(episodes[state])} ${siteText(`site.operator.states.${state}`)}`);
  return (
    <li>
      <div>
        <strong>{title}</strong>
        <small>
          {[anime.isAdult ? siteText("site.operator.isAdult") : "", ...counts].filter(Boolean).join(" · ")}
        </small>
      </div>
      <RowActions title={title} actions={["edit", "merge", "remove"]} onAction={props.onAction}>
        <SmallButton
          label={siteText("site.operator.showEpisodesLabel", { title })}
          onClick={() => props.onSelect(anime)}
        >
          {siteText("site.operator.showEpisodes")}
        </SmallButton>
      </RowActions>
    </li>
  );
}

type DialogProps = { anime: Anime; onClose: () => void; onDone: (text: string) => void };

function Edit({ anime, onClose, onDone }: DialogProps) {
  const { anilistId, isAdult, title } = anime;
  const [titles, setTitles] = useState({
    titleRomaji: title.romaji ?? "",
    titleEnglish: title.english ?? "",
    titleNative: title.native ?? "",
  });
  const names = ["titleRomaji", "titleEnglish", "titleNative"] as const;
  const work = async (read: ReadField) => {
    await operator.editAnime({
      id: anime.id,
      titleRomaji: titles.titleRomaji.trim() || null,
      titleEnglish: titles.titleEnglish.trim() || null,
      titleNative: titles.titleNative.trim() || null,
      isAdult: read("isAdult") !== "",
      anilistId: read("anilistId") === "" ? null : Number(read("anilistId")),
    });
    onDone(siteText("site.operator.saved"));
  };
  // An anime has at least one title.
  const isOptional = (name: (typeof names)[number]) =>
    name !== "titleRomaji" || titles.titleEnglish.trim() !== "" || titles.titleNative.trim() !== "";
  return (
    <ActionDialog
      title={siteText("site.operator.editLabel", { title: formatTitle(anime) })}
      action={siteText("site.operator.save")}
      work={work}
      onClose={onClose}
    >
      {names.map((name) => (
        <Field
          key={name}
          label={siteText(`site.operator.${name}`)}
          autocomplete="off"
          maxLength={300}
          isOptional={isOptional(name)}
          value={titles[name]}
          onText={(text) => setTitles({ ...titles, [name]: text })}
        />
      ))}
      <Field
        name="anilistId"
        label={siteText("site.operator.anilistId")}
        type="number"
        min={1}
        max={2_147_483_647}
        isOptional
        defaultValue={anilistId?.toString()}
      />
      <p>
        <label>
          <input type="checkbox" name="isAdult" defaultChecked={isAdult} />{" "}
          {siteText("site.operator.isAdult")}
        </label>
      </p>
    </ActionDialog>
  );
}

function Merge({ anime, onClose, onDone }: DialogProps) {
  const [query, setQuery] = useState("");
  const { value, error, again } = useResponse(
    (signal) => operator.listOperatorAnime({ page: 1, pageSize: 10, query }, { signal }),
    [query],
  );
  const others = (value?.items ?? []).filter((item) => item.anime.id !== anime.id);
  const work = async (read: ReadField) => {
    await operator.mergeAnime({ id: anime.id, intoId: read("into") });
    onDone(siteText("site.operator.merged"));
  };
  return (
    <ActionDialog
      title={siteText("site.operator.mergeLabel", { title: formatTitle(anime) })}
      action={siteText("site.operator.merge")}
      work={work}
      onClose={onClose}
    >
      <p>{siteText("site.operator.mergeHint")}</p>
      <Field
        label={siteText("site.operator.findAnime")}
        type="search"
        autocomplete="off"
        isOptional
        maxLength={200}
        value={query}
        onText={setQuery}
      />
      {error !== undefined && <ErrorPanel error={error} retry={again} />}
      <fieldset key={query} class="choices">
        <legend>{siteText("site.operator.mergeInto")}</legend>
        {value && others.length === 0 && <p class="empty">{siteText("site.operator.noAnime")}</p>}
        {others.map((item) => (
          <label key={item.anime.id}>
            <input type="radio" name="into" required value={item.anime.id} /> {formatTitle(item.anime)}
          </label>
        ))}
      </fieldset>
    </ActionDialog>
  );
}
