import { useState } from "preact/hooks";
import { t } from "../state/language.ts";
import { ErrorPanel } from "../ui/error-panel.tsx";
import { Field, SubmitButton } from "../ui/field.tsx";
import { useMountFocus } from "../ui/use-mount-focus.ts";
import { useWork } from "../ui/use-work.ts";
import { sendCorrection } from "./confirmation.ts";

/** A field for what the image shows, after the reader rejected all matches. */
export function CorrectionForm() {
  const [text, setText] = useState("");
  const { isBusy, isDone, error, start } = useWork(() => sendCorrection(text.trim()));
  if (isDone) return <Sent />;
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

/** The confirmation, which takes the focus of the button. */
function Sent() {
  return (
    <p class="note" ref={useMountFocus<HTMLParagraphElement>()} tabIndex={-1}>
      {t("web.result.correctionSent")}
    </p>
  );
}
