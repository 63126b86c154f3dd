import { useEffect, useRef, useState } from "preact/hooks";
import type { JobView, SearchResponse } from "../messages.ts";
import { text } from "../texts.ts";
import { background } from "./background.ts";
import { FailureView } from "./failure-view.tsx";
import { closePanel, isFrame, reportHeight } from "./frame.ts";
import { ResultView } from "./result-view.tsx";

/** The panel: it searches the image of its job and shows the result. */
export function App({ job }: { job: JobView | undefined }) {
  const [response, setResponse] = useState<SearchResponse>();
  const content = useRef<HTMLElement>(null);
  const isStart = job !== undefined && !job.isSearchable;
  const search = async () => {
    setResponse(undefined);
    setResponse(await background.search());
  };
  useEffect(() => {
    if (content.current !== null) reportHeight(content.current);
    if (!isStart) void search();
    const closeOnEscape = (event: KeyboardEvent) => event.key === "Escape" && closePanel();
    document.addEventListener("keydown", closeOnEscape);
    return () => document.removeEventListener("keydown", closeOnEscape);
  }, []);

  const canCapture = job?.canCapture ?? false;
  return (
    <main class={isFrame ? "panel" : "panel panel-tab"} ref={content}>
      <div class="bar">
        <h1>Koma</h1>
        <button
          type="button"
          title={text("settings")}
          aria-label={text("settings")}
          onClick={background.openSettings}
        >
          <svg viewBox="0 0 24 24" aria-hidden="true">
            <path d="M4 7h9m5 0h2M4 17h2m5 0h9" />
            <circle cx="15.500" cy="7" r="2.500" />
            <circle cx="8.500" cy="17" r="2.500" />
          </svg>
        </button>
        <button type="button" title={text("close")} aria-label={text("close")} onClick={closePanel}>
          <svg viewBox="0 0 24 24" aria-hidden="true">
            <path d="M6 6l12 12M18 6L6 18" />
          </svg>
        </button>
      </div>
      {isStart && <Start />}
      {!isStart && response === undefined && (
        <div class="searching">
          {job?.imageDataUrl !== undefined && <img src={job.imageDataUrl} alt={text("yourImage")} />}
          <p role="status">{text("searching")}</p>
        </div>
      )}
      {response !== undefined && "result" in response && (
        <ResultView result={response.result} canCapture={canCapture} />
      )}
      {response !== undefined && "failure" in response && (
        <FailureView failure={response.failure} canCapture={canCapture} onRetry={() => void search()} />
      )}
    </main>
  );
}

function Start() {
  return (
    <>
      <p>{text("startText")}</p>
      <p class="actions">
        <button type="button" class="main" onClick={() => void background.capture("region")}>
          {text("startRegion")}
        </button>
        <button type="button" onClick={() => void background.capture("video")}>
          {text("startVideo")}
        </button>
      </p>
    </>
  );
}
