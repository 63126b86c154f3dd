import { ApiProblem } from "@koma/client";
import type { Indexing } from "@koma/contract";
import { useEffect, useId, useRef } from "preact/hooks";
import { operator } from "../api/operator.ts";
import { notify } from "../state/announce.ts";
import { words } from "../state/language.ts";
import { siteText } from "../state/site-texts.ts";
import { ErrorPanel } from "../ui/error-panel.tsx";
import { Field, SubmitButton } from "../ui/field.tsx";
import { useResponse } from "../ui/use-response.ts";
import { useWork } from "../ui/use-work.ts";

const pollMs = 2000;

/**
 * Starts indexing and shows its progress. A change of `round` reloads the progress, because a retried video
 * starts a run; `onEnd` is called when a run has ended.
 */
export function OperatorIndexing({ round, onEnd }: { round: number; onEnd: () => void }) {
  const { value, error, isLoading, again } = useResponse(
    (signal) => operator.getIndexing({}, { signal }),
    [round],
  );
  // A request that fails says nothing about the run: the last response stays.
  const last = useRef<Indexing | undefined>(undefined);
  last.current = value ?? last.current;
  const indexing = last.current;
  const isActive = indexing !== undefined && isAtWork(indexing);
  const wasActive = useRef(false);
  useEffect(() => {
    if (wasActive.current && !isActive) onEnd();
    wasActive.current = isActive;
  }, [isActive]);
  useEffect(() => {
    if (!isActive || isLoading) return undefined;
    const timer = setTimeout(again, pollMs);
    return () => clearTimeout(timer);
  }, [isActive, isLoading]);
  return (
    <section class="card">
      <h2>{siteText("site.operator.indexTitle")}</h2>
      {error !== undefined && <ErrorPanel error={error} retry={again} />}
      {indexing?.folders.length === 0 && <p class="note">{siteText("site.operator.indexOff")}</p>}
      {indexing?.hasFfmpeg === false && <p class="note">{siteText("site.operator.noFfmpeg")}</p>}
      {indexing && indexing.folders.length > 0 && <IndexForm folders={indexing.folders} onStart={again} />}
      {indexing && <Progress indexing={indexing} />}
    </section>
  );
}

function IndexForm({ folders, onStart }: { folders: readonly string[]; onStart: () => void }) {
  const input = useRef<HTMLInputElement>(null);
  const { isBusy, error, start } = useWork(async (read) => {
    const path = read("path").trim();
    const { videos } = await operator.startIndexing(path === "" ? {} : { path });
    notify(siteText("site.operator.queued", { count: videos }));
    onStart();
  });
  const isWrong = error instanceof ApiProblem && error.errors.some((one) => one.path === "path");
  useEffect(() => {
    if (isWrong) input.current?.focus();
  }, [error]);
  return (
    <form onSubmit={start}>
      <Field
        inputRef={input}
        label={siteText("site.operator.indexPath")}
        hint={siteText("site.operator.indexPathHint", { folders: folders.join(", ") })}
        problem={
          isWrong ? siteText("site.operator.indexPathWrong", { folders: folders.join(", ") }) : undefined
        }
        dir="ltr"
        autocomplete="off"
        isOptional
        maxLength={4096}
        suggestions={folders}
        name="path"
      />
      {error !== undefined && !isWrong && <ErrorPanel error={error} />}
      <p class="wrap actions">
        <SubmitButton isBusy={isBusy}>{siteText("site.operator.indexGo")}</SubmitButton>
      </p>
    </form>
  );
}

function Progress({ indexing }: { indexing: Indexing }) {
  const { run, lastRun, claims, waiting } = indexing;
  const id = useId();
  return (
    <>
      {run !== null && (
        <p>
          <span id={id}>
            {siteText("site.operator.indexRun", { done: run.done, files: run.files + waiting })}
          </span>{" "}
          <progress aria-labelledby={id} max={run.files + waiting} value={run.done} />
        </p>
      )}
      {claims.length > 0 && (
        <ul class="rows">
          {claims.map(({ fileName, worker, fraction }) => (
            <li key={fileName}>
              <div>
                {fileName}
                <small>{worker}</small>
              </div>
              {fraction !== null && <span>{`${words().formatNumber(Math.round(fraction * 100))} %`}</span>}
            </li>
          ))}
        </ul>
      )}
      {!isAtWork(indexing) && <p>{siteText("site.operator.indexIdle")}</p>}
      {lastRun !== null && (
        <p>
          <small>
            {siteText("site.operator.lastRun", lastRun)} {words().formatRelative(new Date(lastRun.endedAt))}
          </small>
          {lastRun.problem !== null && <small class="wrong">{lastRun.problem}</small>}
        </p>
      )}
    </>
  );
}

function isAtWork({ run, waiting, claims }: Indexing): boolean {
  return run !== null || waiting > 0 || claims.length > 0;
}
