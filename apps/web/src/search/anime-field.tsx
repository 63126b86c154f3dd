import type { Anime } from "@koma/contract";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { koma } from "../api/koma.ts";
import { t } from "../state/language.ts";
import { formatTitle } from "../ui/scene-words.ts";
import { animeFilter, filterProblem, filterText, findByTitle, suggestionLimit } from "./anime-filter.ts";

/** A field that limits searches to one anime of the library. */
export function AnimeField() {
  const [known, setKnown] = useState<readonly Anime[]>();
  const input = useRef<HTMLInputElement>(null);
  const id = useId();
  const text = filterText.value;
  const query = text.trim();
  const refused = filterProblem.value;
  useEffect(() => {
    const stop = new AbortController();
    koma.findAnime({ query, limit: suggestionLimit }, { signal: stop.signal }).then(
      ({ items }) => {
        setKnown(items);
        // The text of an anime that is chosen already need not be its title.
        if (query !== "") animeFilter.value ??= findByTitle(items, query);
      },
      () => undefined,
    );
    return () => stop.abort();
  }, [query]);
  useEffect(() => {
    if (refused !== undefined) input.current?.focus();
  }, [refused]);
  useEffect(
    () => () => {
      filterProblem.value = undefined;
    },
    [],
  );
  const isUnknown = query !== "" && known?.length === 0;
  const problem = refused?.isAmbiguous
    ? t("web.search.filterAmbiguous")
    : refused || isUnknown
      ? t("web.search.filterUnknown")
      : undefined;
  return (
    <p class="field anime-field">
      <label for={id}>{t("web.search.filter")}</label>
      <input
        ref={input}
        id={id}
        type="search"
        autocomplete="off"
        list={`${id}-titles`}
        placeholder={t("web.search.filterHint")}
        value={text}
        onInput={(event) => {
          animeFilter.value = undefined;
          filterProblem.value = undefined;
          filterText.value = event.currentTarget.value;
        }}
        {...(problem !== undefined && { "aria-describedby": `${id}-problem` })}
        {...(refused !== undefined && { "aria-invalid": true })}
      />
      <datalist id={`${id}-titles`}>
        {known?.map((anime) => (
          <option key={anime.id} value={formatTitle(anime)} />
        ))}
      </datalist>
      {problem !== undefined && (
        <small id={`${id}-problem`} class="wrong">
          {problem}
        </small>
      )}
    </p>
  );
}
