import { useState } from "preact/hooks";
import { announce } from "../state/announce.ts";
import { t } from "../state/language.ts";
import { Icon } from "./icons.tsx";

/** Copies a text to the clipboard; false if the browser does not allow it. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

/** A read-only field with a button that copies its text. */
export function CopyField(props: { label: string; text: string; copyLabel: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    if (!(await copyText(props.text))) return;
    setCopied(true);
    announce(t("web.common.copied"));
    setTimeout(() => setCopied(false), 3000);
  };
  return (
    <div class="copy-field">
      <label>
        <span>{props.label}</span>
        <textarea
          dir="ltr"
          readOnly
          rows={props.text.length > 70 ? 4 : 2}
          spellcheck={false}
          value={props.text}
          onFocus={(event) => event.currentTarget.select()}
        />
      </label>
      <button type="button" class="button" onClick={() => void copy()}>
        <Icon name={isCopied ? "check" : "copy"} />
        {isCopied ? t("web.common.copied") : props.copyLabel}
      </button>
    </div>
  );
}

/** Pages without HTTPS cannot use the clipboard API. */
function copyBySelection(text: string): boolean {
  const field = document.createElement("textarea");
  field.value = text;
  field.className = "unseen";
  document.body.append(field);
  field.select();
  const isDone = document.execCommand("copy");
  field.remove();
  return isDone;
}
