import { useState } from "preact/hooks";
import { announce } from "../state/announce.ts";
import { t } from "../state/language.ts";
import { ErrorPanel } from "../ui/error-panel.tsx";
import { Field, SubmitButton } from "../ui/field.tsx";
import { useWork } from "../ui/use-work.ts";
import { sendCorrection } from "./searching.ts";

/** A field for what the image shows, after the reader rejected all matches. */
export function CorrectionForm() {
  const [text, setText] = useState("");
  const { isBusy, isDone, error, start } = useWork(async () => {
    await sendCorrection(text.trim());
    announce(t("web.result.correctionSent"));
  });
  if (isDone) return <p class="note">{t("web.result.correctionSent")}</p>;
  return (
    <form class="correction" onSubmit={start}>
      <div class="one-line">
        <Field
          label={t("web.result.correction")}
          autocomplete="off"
          maxLength={200}
          value={text}
          onText={setText}
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
