import { siteText } from "../state/site-texts.ts";

/** The choice of a state that limits a list; undefined: all. */
export function StateFilter<State extends string>(props: {
  value: State | undefined;
  states: readonly (readonly [state: State, text: string])[];
  onSelect: (state: State | undefined) => void;
}) {
  const { value, states, onSelect } = props;
  return (
    <p class="row filters">
      <label>
        {siteText("site.operator.state")}{" "}
        <select
          value={value ?? ""}
          onChange={({ currentTarget }) =>
            onSelect(states.find(([state]) => state === currentTarget.value)?.[0])
          }
        >
          <option value="">{siteText("site.operator.allStates")}</option>
          {states.map(([state, text]) => (
            <option key={state} value={state}>
              {text}
            </option>
          ))}
        </select>
      </label>
    </p>
  );
}
