import { useState } from "preact/hooks";
import { koma } from "../api/koma.ts";
import { t } from "../state/language.ts";
import { ErrorPanel } from "../ui/error-panel.tsx";
import { Field, SubmitButton } from "../ui/field.tsx";
import { formatTitle } from "../ui/scene-words.ts";
import { useMountFocus } from "../ui/use-mount-focus.ts";
import { useResponse } from "../ui/use-response.ts";
import { useWork } from "../ui/use-work.ts";
import { sendCorrection } from "./confirmation.ts";

/** Fields for what the image shows, after the reader rejected all matches. */
export function CorrectionForm() {
  const [title, setTitle] = useState("");
  const query = title.trim();
  const { value: known } = useResponse((signal) => koma.findAnime({ query, limit: 10 }, { signal }), [query]);
  const { isBusy, isDone, error, start } = useWork((read) =>
    sendCorrection({ title: query, episode: read("episode").trim() }),
  );
  if (isDone) return <Sent />;
  return (
    <form class="correction" onSubmit={start}>
      <div class="one-line with-number">
        <Field
          label={t("web.result.correction")}
          autocomplete="off"
          maxLength={200}
          suggestions={known?.items.map(formatTitle) ?? []}
          value={title}
          onText={setTitle}
        />
        <Field
          name="episode"
          label={t("web.result.correctionEpisode")}
          autocomplete="off"
          isOptional
          maxLength={20}
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

/** The confirmation, which takes the focus of the button. */
function Sent() {
  return (
    <p class="note" ref={useMountFocus<HTMLParagraphElement>()} tabIndex={-1}>
      {t("web.result.correctionSent")}
    </p>
  );
}
