import { useId } from "preact/hooks";
import { t } from "../state/language.ts";

type Props = {
  label: string;
  value: string;
  onText: (text: string) => void;
  type?: "text" | "email" | "password" | "number" | "search";
  autocomplete?: "name" | "email" | "current-password" | "new-password" | "one-time-code" | "off";
  hint?: string | undefined;
  problem?: string | undefined;
  placeholder?: string;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  min?: number;
  max?: number;
  class?: string;
  isOptional?: boolean;
};

/** A labelled field with a hint and an error message. */
export function Field(props: Props) {
  const {
    label,
    hint,
    problem,
    onText,
    isOptional = false,
    class: className,
    type = "text",
    ...rest
  } = props;
  const id = useId();
  const notes = [hint && `${id}-hint`, problem && `${id}-problem`].filter(Boolean).join(" ");
  return (
    <p class={`field ${className ?? ""}`}>
      <label for={id}>{label}</label>
      <input
        {...rest}
        // The types differ only in `role`, which no field sets.
        type={type as "text"}
        id={id}
        required={!isOptional}
        {...(notes !== "" && { "aria-describedby": notes })}
        {...(problem !== undefined && { "aria-invalid": true })}
        onInput={(event) => onText(event.currentTarget.value)}
      />
      {hint && <small id={`${id}-hint`}>{hint}</small>}
      {problem && (
        <small id={`${id}-problem`} class="wrong">
          {problem}
        </small>
      )}
    </p>
  );
}

/** A submit button that shows that its request is running. */
export function SubmitButton(props: { isBusy: boolean; children: string; className?: string }) {
  return (
    <button type="submit" class={`button ${props.className ?? "main"}`} aria-disabled={props.isBusy}>
      {props.isBusy ? t("web.common.loading") : props.children}
    </button>
  );
}
