import type { Anime } from "@koma/contract";
import { useEffect, useId, useState } from "preact/hooks";
import { koma } from "../api/koma.ts";
import { t } from "../state/language.ts";
import { formatTitle } from "../ui/scene-words.ts";
import { animeFilter } from "./anime-filter.ts";

/** A field that limits searches to one anime of the library. */
export function AnimeField() {
  const [text, setText] = useState(() => (animeFilter.value ? formatTitle(animeFilter.value) : ""));
  const [known, setKnown] = useState<readonly Anime[]>([]);
  const id = useId();
  const query = text.trim();
  useEffect(() => {
    const stop = new AbortController();
    koma.findAnime({ query, limit: 20 }, { signal: stop.signal }).then(
      ({ items }) => {
        setKnown(items);
        animeFilter.value = query === "" ? undefined : items.find((anime) => isTitle(anime, query));
      },
      () => undefined,
    );
    return () => stop.abort();
  }, [query]);
  const isUnknown = query !== "" && known.length === 0;
  return (
    <p class="field anime-field">
      <label for={id}>{t("web.search.filter")}</label>
      <input
        id={id}
        type="search"
        autocomplete="off"
        list={`${id}-titles`}
        placeholder={t("web.search.filterHint")}
        value={text}
        onInput={(event) => {
          animeFilter.value = undefined;
          setText(event.currentTarget.value);
        }}
        {...(isUnknown && { "aria-describedby": `${id}-problem` })}
      />
      <datalist id={`${id}-titles`}>
        {known.map((anime) => (
          <option key={anime.id} value={formatTitle(anime)} />
        ))}
      </datalist>
      {isUnknown && (
        <small id={`${id}-problem`} class="wrong">
          {t("web.search.filterUnknown")}
        </small>
      )}
    </p>
  );
}

function isTitle({ title }: Anime, text: string): boolean {
  return Object.values(title).some((one) => one?.toLowerCase() === text.toLowerCase());
}
