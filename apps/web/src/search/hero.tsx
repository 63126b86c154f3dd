import type { Site } from "@koma/contract";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { toPreviewHref } from "../api/koma.ts";
import { pageLocation } from "../routing/router.ts";
import { t } from "../state/language.ts";
import { session } from "../state/session.ts";
import { site } from "../state/site.ts";
import { ErrorPanel } from "../ui/error-panel.tsx";
import { Icon } from "../ui/icons.tsx";
import { QuotaLine } from "../ui/quota-line.tsx";
import { formatEpisodeOf, formatTitle } from "../ui/scene-words.ts";
import { SmallButton } from "../ui/small-button.tsx";
import { Still } from "../ui/still.tsx";
import { Switch } from "../ui/switch.tsx";
import { AnimeField } from "./anime-field.tsx";
import { BatchList } from "./batch-list.tsx";
import { findAddress, isAddress, searchFiles } from "./image-input.ts";
import { QueryMedia } from "./query-media.tsx";
import {
  cancelSearch,
  isPublic,
  refuse,
  resumeSearch,
  search,
  searchAddress,
  searchImage,
  setPublic,
  startOver,
} from "./searching.ts";
import { sharedFiles } from "./shared-files.ts";

/** The first screen: a film strip whose frame accepts an image. */
export function Hero() {
  const shown = search.value;
  const userId = session.value?.id;
  useEffect(resumeSearch, [userId]);
  return (
    <div class="hero">
      <h1 tabIndex={-1}>{t("web.search.title")}</h1>
      <p class="lead">{t("web.search.lead")}</p>
      {shown.state === "failed" && (
        <ErrorPanel error={shown.error} retry={shown.retry} takesFocus>
          <button type="button" class="button" onClick={startOver}>
            {t("web.search.another")}
          </button>
        </ErrorPanel>
      )}
      <div class="film">
        <Holes id="upper" />
        {shown.state === "reading" || shown.state === "searching" ? <Waiting /> : <Input />}
        <Examples />
        <Holes id="lower" />
      </div>
      <BatchList />
      <QuotaLine />
      <Upstreams />
      <div class="hero-more">
        <AddressForm />
        <AnimeField />
        <Switch isOn={isPublic.value} onChange={setPublic}>
          {t("web.search.privacy")}
          <small>{t("web.search.privacyHint")}</small>
        </Switch>
      </div>
    </div>
  );
}

/** The other services that get an image that is not in the library. */
function Upstreams() {
  const services = site.value?.upstreams?.map(({ name }) => name) ?? [];
  return services.length === 0 ? null : <p class="hint">{t("web.search.upstreams", { services })}</p>;
}

/**
 * The address in the query: `?url=`, or the first one in the text that another app shares with the installed page. The page
 * does not search it at once, because a link on another page could then spend the reader's searches.
 */
function readSharedAddress(): string | undefined {
  const { query } = pageLocation.value;
  const shared = query.get("url");
  return shared !== null && isAddress(shared) ? shared.trim() : findAddress(query.get("text") ?? "");
}

function Holes({ id }: { id: string }) {
  return (
    <svg class="holes" aria-hidden="true">
      <pattern id={`holes-${id}`} width="34" height="34" patternUnits="userSpaceOnUse">
        <rect x="10" y="10" width="14" height="14" rx="3.5" />
      </pattern>
      <rect width="100%" height="34" fill={`url(#holes-${id})`} />
    </svg>
  );
}

function Input() {
  const [file] = sharedFiles.value;
  return file === undefined ? <Frame /> : <Shared key={file} file={file} />;
}

/**
 * The first file that another app shared. The page does not search it at once, because a form on another
 * page could then spend the reader's searches.
 */
function Shared({ file }: { file: File }) {
  const [url, setUrl] = useState<string>();
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    const created = URL.createObjectURL(file);
    setUrl(created);
    button.current?.focus();
    return () => URL.revokeObjectURL(created);
  }, [file]);
  return (
    <div class="frame searching">
      {url && (
        <QueryMedia url={url} isVideo={file.type.startsWith("video/")} label={t("web.search.yoursAlt")} />
      )}
      <p class="row">
        <button ref={button} type="button" class="button main" onClick={() => searchFiles(sharedFiles.value)}>
          {t("web.search.addressGo")}
        </button>
        <button type="button" class="button" onClick={startOver}>
          {t("web.common.cancel")}
        </button>
      </p>
    </div>
  );
}

/** The frame on which images are dropped, and that opens the file dialog. */
function Frame() {
  const file = useRef<HTMLInputElement>(null);
  const camera = useRef<HTMLInputElement>(null);
  const take = (input: HTMLInputElement) => {
    const files = [...(input.files ?? [])];
    input.value = "";
    searchFiles(files);
  };
  return (
    <div class="frame">
      <button type="button" class="frame-button" onClick={() => file.current?.click()}>
        <Icon name="image" />
        <strong class="for-mouse">{t("web.search.area")}</strong>
        <strong class="for-touch">{t("web.search.areaTouch")}</strong>
        <span class="for-mouse">{t("web.search.areaHint")}</span>
        <span class="frame-choose for-mouse">{t("web.search.choose")}</span>
      </button>
      <button type="button" class="frame-camera for-touch" onClick={() => camera.current?.click()}>
        <Icon name="camera" />
        {t("web.search.camera")}
      </button>
      <input
        ref={file}
        class="picture-file"
        type="file"
        accept="image/*,video/mp4,video/webm,video/quicktime"
        multiple
        hidden
        onChange={(event) => take(event.currentTarget)}
      />
      <input
        ref={camera}
        type="file"
        accept="image/*"
        capture="environment"
        hidden
        onChange={(event) => take(event.currentTarget)}
      />
    </div>
  );
}

/** The image that is searched, under a moving light. */
function Waiting() {
  const shown = search.value;
  const query = shown.state === "searching" ? shown.query : undefined;
  const frames = site.value?.frameCount ?? 0;
  return (
    <div class="frame searching" aria-busy="true">
      {query && "url" in query && (
        <QueryMedia url={query.url} isVideo={query.isVideo} label={t("web.search.yoursAlt")} />
      )}
      <div class="scan" aria-hidden="true" />
      <p class="row">
        {shown.state === "reading" && t("web.search.reading")}
        {shown.state === "searching" &&
          (frames > 0 ? t("web.search.searching", { count: frames }) : t("web.search.searchingAll"))}
        <SmallButton onClick={cancelSearch}>{t("web.common.cancel")}</SmallButton>
      </p>
    </div>
  );
}

/** Frames of the sample library, for a first search without an image. */
function Examples() {
  const examples = site.value?.examples ?? [];
  const id = useId();
  if (site.value !== undefined && examples.length === 0) return null;
  return (
    <div class="examples">
      <p id={id}>{t("web.search.tryIt")}</p>
      <ul aria-labelledby={id}>
        {site.value === undefined &&
          Array.from({ length: 6 }, (_, index) => <li key={index} class="pending" />)}
        {examples.map((example) => (
          <li key={example.imageUrl}>
            <Example example={example} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function Example({ example }: { example: Site["examples"][number] }) {
  const anime = formatTitle(example.anime);
  const label =
    example.episode === null
      ? t("web.search.tryAnime", { anime })
      : t("web.search.tryFrame", { anime, episode: formatEpisodeOf(example.episode) });
  const search = async () => {
    try {
      const response = await fetch(toPreviewHref(example.previewPaths.stills.m));
      if (!response.ok) throw new TypeError("The example frame could not be loaded.");
      await searchImage(await response.blob());
    } catch (error) {
      refuse(error);
    }
  };
  return (
    <button type="button" aria-label={label} title={anime} onClick={() => void search()}>
      <Still src={toPreviewHref(example.previewPaths.stills.s)} alt="" width="160" height="90" />
    </button>
  );
}

function AddressForm() {
  const [shared] = useState(readSharedAddress);
  const [address, setAddress] = useState(shared ?? "");
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();
  useEffect(() => {
    if (shared === undefined) return;
    button.current?.focus({ preventScroll: true });
    button.current?.scrollIntoView({ block: "center" });
  }, [shared]);
  const isGood = isAddress(address);
  return (
    <form
      class="address"
      onSubmit={(event) => {
        event.preventDefault();
        if (isGood) void searchAddress(address.trim());
      }}
    >
      <label for={id}>{t("web.search.address")}</label>
      <div>
        <input
          id={id}
          type="url"
          inputMode="url"
          autocomplete="off"
          required
          pattern="[hH][tT][tT][pP][sS]?://.+"
          placeholder={t("web.search.addressHint")}
          value={address}
          onInput={(event) => setAddress(event.currentTarget.value)}
        />
        <button ref={button} type="submit" class="button">
          {t("web.search.addressGo")}
        </button>
      </div>
    </form>
  );
}
