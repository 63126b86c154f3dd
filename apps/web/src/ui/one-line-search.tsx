import { useState } from "preact/hooks";
import { siteText } from "../state/site-texts.ts";
import { Field } from "./field.tsx";

/** A search field with a button in one line. */
export function OneLineSearch(props: { label: string; onSearch: (query: string) => void }) {
  const [written, setWritten] = useState("");
  return (
    <form
      class="one-line"
      onSubmit={(event) => {
        event.preventDefault();
        props.onSearch(written.trim());
      }}
    >
      <Field
        label={props.label}
        type="search"
        autocomplete="off"
        isOptional
        maxLength={200}
        value={written}
        onText={setWritten}
      />
      <button type="submit" class="button">
        {siteText("site.operator.findGo")}
      </button>
    </form>
  );
}
