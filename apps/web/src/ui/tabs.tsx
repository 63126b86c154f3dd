/** A choice of one of a few entries, which are all visible. */
export function Tabs<Value extends string>(props: {
  legend: string;
  options: readonly (readonly [value: Value, text: string])[];
  value: Value;
  onChange: (value: Value) => void;
}) {
  return (
    <fieldset class="wrap tabs">
      <legend class="unseen">{props.legend}</legend>
      {props.options.map(([value, text]) => (
        <label key={value}>
          <input
            type="radio"
            name="tab"
            value={value}
            checked={value === props.value}
            onChange={() => props.onChange(value)}
          />
          <span>{text}</span>
        </label>
      ))}
    </fieldset>
  );
}
