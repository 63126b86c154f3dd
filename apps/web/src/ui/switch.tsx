import type { ComponentChildren } from "preact";

/** A checkbox with its text. */
export function Switch(props: {
  isOn: boolean;
  onChange: (isOn: boolean) => void;
  children: ComponentChildren;
}) {
  return (
    <label class="switch">
      <input
        type="checkbox"
        checked={props.isOn}
        onChange={(event) => props.onChange(event.currentTarget.checked)}
      />
      <span>{props.children}</span>
    </label>
  );
}
