import type { RefObject } from "preact";
import { useId } from "preact/hooks";
import { t } from "../state/language.ts";

type Props = {
  label: string;
  /** By which `useWork` reads the field; one with a `value` can do without. */
  name?: string;
  value?: string;
  defaultValue?: string | undefined;
  onText?: (text: string) => void;
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
  dir?: "ltr";
  class?: string;
  isOptional?: boolean;
  /** Texts that the browser offers. */
  suggestions?: readonly string[] | undefined;
  inputRef?: RefObject<HTMLInputElement | null>;
  "aria-invalid"?: true | undefined;
};

/** A labelled field with a hint, an error message and suggestions. */
export function Field(props: Props) {
  const {
    label,
    hint,
    problem,
    onText,
    isOptional = false,
    class: className,
    type = "text",
    suggestions,
    inputRef,
    ...rest
  } = props;
  const id = useId();
  const notes = [hint && `${id}-hint`, problem && `${id}-problem`].filter(Boolean).join(" ");
  return (
    <p class={`field ${className ?? ""}`}>
      <label for={id}>{label}</label>
      <input
        {...(problem !== undefined && { "aria-invalid": true })}
        {...rest}
        ref={inputRef ?? null}
        // The types differ only in `role`, which no field sets.
        type={type as "text"}
        id={id}
        required={!isOptional}
        {...(notes !== "" && { "aria-describedby": notes })}
        list={suggestions && `${id}-list`}
        onInput={(event) => onText?.(event.currentTarget.value)}
      />
      {suggestions && (
        <datalist id={`${id}-list`}>
          {suggestions.map((text) => (
            <option key={text} value={text} />
          ))}
        </datalist>
      )}
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
