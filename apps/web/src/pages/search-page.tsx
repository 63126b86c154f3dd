import { ApiProblem } from "@koma/client";
import type { ComponentType } from "preact";
import { useEffect, useLayoutEffect, useState } from "preact/hooks";
import { arrive } from "../routing/arrive.ts";
import type { PageProps } from "../routing/router.ts";
import { Hero } from "../search/hero.tsx";
import type { ResultProps } from "../search/result.tsx";
import { openSearch, search, startOver } from "../search/searching.ts";
import { t } from "../state/language.ts";
import { session } from "../state/session.ts";
import { ErrorPanel } from "../ui/error-panel.tsx";

/** The search: the input of an image, and the result. */
export function SearchPage({ id }: PageProps) {
  const userId = session.value?.id;
  useEffect(() => {
    const shown = search.value;
    // A sign-out removes the search: it loads again as a guest sees it.
    if (id !== undefined) void openSearch(id);
    else if (shown.state === "found") search.value = { state: "idle" };
  }, [id, userId]);
  useEffect(
    () => () => {
      if (search.value.state === "failed") search.value = { state: "idle" };
    },
    [],
  );
  const shown = search.value;
  // The code of the result arrives while the search runs.
  const isExpected = id !== undefined || shown.state !== "idle";
  useEffect(() => {
    if (isExpected) void loadResult().catch(() => undefined);
  }, [isExpected]);
  if (id === undefined) return <Hero />;
  if (shown.state === "found") return <Found found={shown.found} query={shown.query} />;
  if (shown.state !== "failed") return <h1 tabIndex={-1}>{t("web.common.loading")}</h1>;
  return <Gone error={shown.error} retry={shown.retry} />;
}

let Result: ComponentType<ResultProps> | undefined;

async function loadResult(): Promise<void> {
  ({ Result } = await import("../search/result.tsx"));
}

/** The result, when its code is loaded. */
function Found(props: ResultProps) {
  const [, setLoaded] = useState(false);
  const [error, setError] = useState<unknown>();
  const load = () => {
    setError(undefined);
    loadResult().then(() => setLoaded(true), setError);
  };
  // Also where the code arrived between this rendering and the effect.
  useEffect(load, []);
  if (Result !== undefined) return <Result {...props} />;
  if (error !== undefined) return <ErrorPanel error={error} retry={load} />;
  return <h1 tabIndex={-1}>{t("web.common.loading")}</h1>;
}

/** The message that a result cannot be shown. */
function Gone({ error, retry }: { error: unknown; retry: (() => void) | undefined }) {
  useLayoutEffect(arrive, []);
  const isUnknown =
    error instanceof ApiProblem && (error.code === "not_found" || error.code === "invalid_request");
  return (
    <div class="narrow">
      <h1 tabIndex={-1}>{t("web.result.gone.title")}</h1>
      {isUnknown ? <p>{t("web.result.gone.text")}</p> : <ErrorPanel error={error} retry={retry} />}
      <button type="button" class="button main" onClick={startOver}>
        {t("web.result.searchYourself")}
      </button>
    </div>
  );
}
