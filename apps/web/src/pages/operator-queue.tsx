import {
  type SharedQueue,
  SharedQueueState,
  type SharedQueueVideo,
  type SharedQueueWorker,
} from "@koma/contract";
import { useEffect } from "preact/hooks";
import { operator } from "../api/operator.ts";
import { notify } from "../state/announce.ts";
import { t, words } from "../state/language.ts";
import { siteText } from "../state/site-texts.ts";
import { ErrorPanel } from "../ui/error-panel.tsx";
import { Rows } from "../ui/rows.tsx";
import { SmallButton } from "../ui/small-button.tsx";
import { StateFilter } from "../ui/state-filter.tsx";
import { usePages } from "../ui/use-response.ts";
import { useWork } from "../ui/use-work.ts";

const pollMs = 2000;

/** The queue that workers share: its workers and their progress, its videos, and its switch. */
export function OperatorQueue() {
  const response = usePages(20, operator.getSharedQueue, {
    state: undefined as SharedQueueState | undefined,
  });
  const { value, isLoading, again, filter, select } = response;
  const isActive = value?.workers.some(({ isAlive }) => isAlive) === true;
  useEffect(() => {
    if (!isActive || isLoading) return undefined;
    const timer = setTimeout(again, pollMs);
    return () => clearTimeout(timer);
  }, [isActive, isLoading]);
  return (
    <section class="card">
      <h2 tabIndex={-1}>{siteText("site.operator.queueTitle")}</h2>
      {value && (
        <>
          <Switch queue={value} onDone={again} />
          <Workers workers={value.workers} />
          <StateFilter
            value={filter.state}
            states={SharedQueueState.options.map((one) => [one, stateText(one)])}
            onSelect={(state) => select({ state })}
          />
        </>
      )}
      <Rows response={response} empty={value && describeEmpty(value.counts)} isByTitle>
        {(video) => <VideoRow key={video.id} video={video} onDone={again} />}
      </Rows>
    </section>
  );
}

function Switch({ queue: { isPaused, counts }, onDone }: { queue: SharedQueue; onDone: () => void }) {
  const pausing = useWork(async () => {
    await operator.setQueuePaused({ isPaused: !isPaused });
    notify(siteText(isPaused ? "site.operator.queueResumed" : "site.operator.queuePaused"));
    onDone();
  });
  const retrying = useWork(async () => {
    const { videos } = await operator.retryQueuedVideos({});
    notify(siteText("site.operator.queued", { count: videos }));
    onDone();
  });
  const error = pausing.error ?? retrying.error;
  return (
    <>
      <p>{siteText("site.operator.queueCounts", counts)}</p>
      {isPaused && <p class="note">{siteText("site.operator.queuePaused")}</p>}
      {error !== undefined && <ErrorPanel error={error} />}
      <p class="wrap actions">
        <SmallButton onClick={pausing.start}>
          {siteText(isPaused ? "site.operator.resumeQueue" : "site.operator.pauseQueue")}
        </SmallButton>
        {counts.failed > 0 && (
          <SmallButton onClick={retrying.start}>{siteText("site.operator.retryFailed")}</SmallButton>
        )}
      </p>
    </>
  );
}

function Workers({ workers }: { workers: readonly SharedQueueWorker[] }) {
  if (workers.length === 0) return <p>{siteText("site.operator.noWorkers")}</p>;
  return (
    <>
      <h3>{siteText("site.operator.workers")}</h3>
      <ul class="rows">
        {workers.map((worker) => (
          <li key={worker.name}>
            <div>
              <strong dir="auto">{worker.name}</strong>
              <small class={worker.isAlive ? undefined : "wrong"}>
                {siteText("site.operator.workerSeen", { at: fromNow(-worker.heartbeatAgeSeconds) })}
                {worker.hasPreviews && ` · ${siteText("site.operator.workerPreviews")}`}
              </small>
              <small>
                {siteText("site.operator.workerFacts", {
                  done: worker.videosDone,
                  failures: worker.failures,
                })}
              </small>
              {worker.videos.map(({ path, progress }) => (
                <small key={path}>
                  <span dir="auto">{path}</span>{" "}
                  <progress
                    aria-label={siteText("site.operator.videoProgress", { path })}
                    max={1}
                    value={progress ?? 0}
                  />{" "}
                  {formatProgress(progress)}
                </small>
              ))}
            </div>
          </li>
        ))}
      </ul>
    </>
  );
}

function describeEmpty({ waiting, running, failed }: SharedQueue["counts"]): string {
  return siteText(waiting + running + failed === 0 ? "site.operator.queueEmpty" : "site.operator.noVideos");
}

function VideoRow({ video, onDone }: { video: SharedQueueVideo; onDone: () => void }) {
  const { id, path, state, attempts, priority, problem, dueInSeconds, worker, progress } = video;
  const { error, start } = useWork(async () => {
    const { videos } = await operator.retryQueuedVideos({ id });
    notify(siteText("site.operator.queued", { count: videos }));
    onDone();
  });
  return (
    <li>
      <div>
        <strong dir="auto">{path}</strong> <span class={`state ${state}`}>{stateText(state)}</span>
        {problem !== null && <small class="wrong">{problem}</small>}
        {state === "running" && <small>{`${worker ?? ""} · ${formatProgress(progress)}`}</small>}
        {dueInSeconds > 0 && (
          <small>{siteText("site.operator.videoDue", { at: fromNow(dueInSeconds) })}</small>
        )}
        <small>{siteText("site.operator.videoFacts", { attempts, priority })}</small>
        {error !== undefined && <ErrorPanel error={error} />}
      </div>
      {state === "failed" && (
        <div class="wrap row-actions">
          <SmallButton label={`${t("web.common.retry")}: ${path}`} onClick={start}>
            {t("web.common.retry")}
          </SmallButton>
        </div>
      )}
    </li>
  );
}

function stateText(state: SharedQueueState): string {
  const states = { waiting: "pending", running: "indexing", failed: "failed" } as const;
  return siteText(`site.operator.states.${states[state]}`);
}

function formatProgress(progress: number | null): string {
  return `${words().formatNumber(Math.floor((progress ?? 0) * 100))} %`;
}

function fromNow(seconds: number): Date {
  return new Date(Date.now() + seconds * 1000);
}
