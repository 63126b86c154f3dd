import { useEffect, useState } from "preact/hooks";
import { siteText } from "../state/site-texts.ts";
import { Field } from "./field.tsx";

/** A search field with a button in one line. It shows a `query` that something else sets. */
export function OneLineSearch(props: { label: string; query?: string; onSearch: (query: string) => void }) {
  const [written, setWritten] = useState("");
  useEffect(() => {
    if (props.query !== undefined) setWritten(props.query);
  }, [props.query]);
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
