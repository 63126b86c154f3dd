import { useEffect, useRef } from "preact/hooks";
import { koma } from "../api/koma.ts";
import { t } from "../state/language.ts";
import { Field } from "../ui/field.tsx";
import { formatTitle } from "../ui/scene-words.ts";
import { useResponse } from "../ui/use-response.ts";
import { animeFilter, filterProblem, filterText, findByTitle, suggestionLimit } from "./anime-filter.ts";

/** A field that limits searches to one anime of the library. */
export function AnimeField() {
  const input = useRef<HTMLInputElement>(null);
  const text = filterText.value;
  const query = text.trim();
  const refused = filterProblem.value;
  const { value: known } = useResponse(
    async (signal) => {
      const { items } = await koma.findAnime({ query, limit: suggestionLimit }, { signal });
      // The text of an anime that is chosen already need not be its title.
      if (query !== "" && !signal.aborted) animeFilter.value ??= findByTitle(items, query);
      return items;
    },
    [query],
  );
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
    <Field
      inputRef={input}
      class="anime-field"
      label={t("web.search.filter")}
      type="search"
      autocomplete="off"
      isOptional
      placeholder={t("web.search.filterHint")}
      suggestions={known?.map(formatTitle) ?? []}
      problem={problem}
      // A title that is still being written is not wrong.
      aria-invalid={refused && true}
      value={text}
      onText={(written) => {
        animeFilter.value = undefined;
        filterProblem.value = undefined;
        filterText.value = written;
      }}
    />
  );
}
