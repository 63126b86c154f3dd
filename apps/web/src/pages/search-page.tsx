import { useEffect } from "preact/hooks";
import type { PageProps } from "../routing/outlet.tsx";
import { Hero } from "../search/hero.tsx";
import { Result } from "../search/result.tsx";
import { openSearch, search } from "../search/searching.ts";

/** The search: the place for a picture, and what was found. */
export function SearchPage({ id }: PageProps) {
  useEffect(() => {
    const shown = search.value;
    if (id !== undefined) void openSearch(id);
    else if (shown.state === "found" || shown.state === "failed") search.value = { state: "idle" };
  }, [id]);
  const shown = search.value;
  // On the way to an address of a result, or back from one.
  const isMeant = (id === undefined) !== (shown.state === "found");
  if (shown.state === "found" && isMeant) return <Result found={shown.found} asked={shown.asked} />;
  return <Hero />;
}
