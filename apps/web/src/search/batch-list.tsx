import { describeOutcome } from "@koma/messages/page";
import { useEffect, useRef } from "preact/hooks";
import { toHref } from "../routing/router.ts";
import { t, words } from "../state/language.ts";
import { ErrorPanel } from "../ui/error-panel.tsx";
import { formatAbsence } from "../ui/scene-words.ts";
import { batch, batchPause, continueBatch } from "./batch.ts";
import type { BatchItem, Refusal } from "./batch-item.ts";
import { QueryMedia } from "./query-media.tsx";
import type { Found } from "./searching.ts";

/** The images of one batch, each with its result. */
export function BatchList() {
  const items = batch.value;
  const pause = batchPause.value;
  const heading = useRef<HTMLHeadingElement>(null);
  const first = items[0]?.url;
  useEffect(() => {
    const isNew = batch.value.every(({ state }) => state === "waiting" || state === "searching");
    if (first === undefined || !isNew || batchPause.value === "reload") return;
    // The list is below the first screen.
    heading.current?.focus({ preventScroll: true });
    heading.current?.scrollIntoView({ block: "start" });
  }, [first]);
  const proceed = () => {
    // The pressed button disappears.
    heading.current?.focus();
    void continueBatch();
  };
  if (items.length === 0) return null;
  return (
    <section class="batch" aria-labelledby="batch">
      <h2 id="batch" ref={heading} tabIndex={-1}>
        {t("web.batch.title")}
      </h2>
      {pause === "reload" && (
        <button type="button" class="button main" onClick={proceed}>
          {t("web.batch.continue")}
        </button>
      )}
      {typeof pause === "object" && <ErrorPanel error={pause.error} retry={proceed} />}
      <ol aria-live="polite">
        {items.map((item, index) => (
          <li key={item.url}>
            <QueryMedia
              url={item.url}
              isVideo={item.isVideo}
              label={t("web.batch.item", { number: index + 1 })}
            />
            <Status item={item} isPaused={pause !== undefined} />
          </li>
        ))}
      </ol>
    </section>
  );
}

/** The text of a result without the name of a scene. */
function nameOutcome({ outcome, onlyIn }: Pick<Found, "outcome" | "onlyIn">): string {
  if (outcome === "not_in_library") return formatAbsence(onlyIn);
  return outcome === "found" ? t("web.result.found") : describeOutcome(words(), outcome).title;
}

function Status({ item, isPaused }: { item: BatchItem; isPaused: boolean }) {
  switch (item.state) {
    case "waiting":
      return <span>{isPaused ? t("web.batch.notSearched") : t("web.batch.waiting")}</span>;
    case "searching":
      return <span aria-busy="true">{t("web.batch.searching")}</span>;
    case "refused":
      return <span class="wrong">{describeRefusal(item.refusal)}</span>;
    case "found":
      return <a href={toHref(`/search/${item.id}`)}>{item.name ?? nameOutcome(item)}</a>;
  }
}

function describeRefusal(refusal: Refusal): string {
  return "code" in refusal ? t(`error.${refusal.code}.title`) : t(`web.search.${refusal.reason}.title`);
}
