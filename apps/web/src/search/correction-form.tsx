import type { Anime } from "@koma/contract";
import { useEffect, useId, useState } from "preact/hooks";
import { koma } from "../api/koma.ts";
import { t } from "../state/language.ts";
import { ErrorPanel } from "../ui/error-panel.tsx";
import { Field, SubmitButton } from "../ui/field.tsx";
import { formatTitle } from "../ui/scene-words.ts";
import { useMountFocus } from "../ui/use-mount-focus.ts";
import { useWork } from "../ui/use-work.ts";
import { sendCorrection } from "./confirmation.ts";

/** Fields for what the image shows, after the reader rejected all matches. */
export function CorrectionForm() {
  const [title, setTitle] = useState("");
  const [episode, setEpisode] = useState("");
  const { isBusy, isDone, error, start } = useWork(() =>
    sendCorrection({ title: title.trim(), episode: episode.trim() }),
  );
  if (isDone) return <Sent />;
  return (
    <form class="correction" onSubmit={start}>
      <div class="one-line with-number">
        <TitleField value={title} onText={setTitle} />
        <Field
          label={t("web.result.correctionEpisode")}
          autocomplete="off"
          isOptional
          maxLength={20}
          value={episode}
          onText={setEpisode}
        />
        <SubmitButton isBusy={isBusy} className="">
          {t("web.result.correctionSend")}
        </SubmitButton>
      </div>
      <small>{t("web.result.correctionHint")}</small>
      {error !== undefined && <ErrorPanel error={error} />}
    </form>
  );
}

/** A field for a title, which suggests those of the library. */
function TitleField({ value, onText }: { value: string; onText: (text: string) => void }) {
  const [known, setKnown] = useState<readonly Anime[]>([]);
  const id = useId();
  const query = value.trim();
  useEffect(() => {
    const stop = new AbortController();
    koma.findAnime({ query, limit: 10 }, { signal: stop.signal }).then(
      ({ items }) => setKnown(items),
      () => undefined,
    );
    return () => stop.abort();
  }, [query]);
  return (
    <p class="field">
      <label for={id}>{t("web.result.correction")}</label>
      <input
        id={id}
        required
        autocomplete="off"
        maxLength={200}
        list={`${id}-titles`}
        value={value}
        onInput={(event) => onText(event.currentTarget.value)}
      />
      <datalist id={`${id}-titles`}>
        {known.map((anime) => (
          <option key={anime.id} value={formatTitle(anime)} />
        ))}
      </datalist>
    </p>
  );
}

/** The confirmation, which takes the focus of the button. */
function Sent() {
  return (
    <p class="note" ref={useMountFocus<HTMLParagraphElement>()} tabIndex={-1}>
      {t("web.result.correctionSent")}
    </p>
  );
}
