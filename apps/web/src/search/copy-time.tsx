import { notify } from "../state/announce.ts";
import { t } from "../state/language.ts";
import { copyText } from "../ui/copy-text.tsx";
import { Icon } from "../ui/icons.tsx";

/** A button that copies a time with its milliseconds, as players and ffmpeg read it. */
export function CopyTime({ seconds }: { seconds: number }) {
  const time = formatExactTime(seconds);
  const copy = async () => {
    if (await copyText(time)) notify(t("web.result.timeCopied", { time }));
  };
  const label = `${t("web.result.copyTime")}: ${time}`;
  return (
    <button type="button" class="copy-time" aria-label={label} title={label} onClick={() => void copy()}>
      <Icon name="copy" />
    </button>
  );
}

/** 754.25 as "00:12:34.250". */
export function formatExactTime(seconds: number): string {
  return new Date(Math.round(seconds * 1000)).toISOString().slice(11, 23);
}
