import type { ComponentChildren } from "preact";

/** A small button beside a text; `label` names it for screen readers where its text does not tell enough. */
export function SmallButton(props: {
  label?: string;
  onClick: (event: { currentTarget: HTMLButtonElement } & Event) => void;
  children: ComponentChildren;
}) {
  return (
    <button type="button" class="button small" aria-label={props.label} onClick={props.onClick}>
      {props.children}
    </button>
  );
}
