import { useState } from "preact/hooks";
import { announce } from "../state/announce.ts";
import { t } from "../state/language.ts";
import { Icon } from "./icons.tsx";

/** Puts a text on the clipboard; false where the browser does not let a page do so. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

/** A text to copy, in a field from which it can be copied by hand too. */
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

/** Pages without https have no clipboard. */
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
