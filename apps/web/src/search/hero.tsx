import type { Site } from "@koma/contract";
import { useId, useRef, useState } from "preact/hooks";
import { toOwnPreview } from "../api/koma.ts";
import { say } from "../state/language.ts";
import { site } from "../state/site.ts";
import { Icon } from "../ui/icons.tsx";
import { ProblemFace } from "../ui/problem-face.tsx";
import { QuotaLine } from "../ui/quota-line.tsx";
import { sayEpisodeOf, sayTitle } from "../ui/scene-words.ts";
import { isAddress } from "./intake.ts";
import {
  cancelSearch,
  isPublic,
  refuse,
  search,
  searchAddress,
  searchPicture,
  setPublic,
  startOver,
} from "./searching.ts";

/** The first screen: a piece of film whose frame waits for a picture. */
export function Hero() {
  const shown = search.value;
  return (
    <div class="hero">
      <h1 tabIndex={-1}>{say("web.search.title")}</h1>
      <p class="lead">{say("web.search.lead")}</p>
      <div class="film">
        <Holes id="upper" />
        {shown.state === "reading" || shown.state === "searching" ? <Waiting /> : <Frame />}
        <Examples />
        <Holes id="lower" />
      </div>
      {shown.state === "failed" && (
        <ProblemFace error={shown.error} retry={shown.retry}>
          <button type="button" class="button" onClick={startOver}>
            {say("web.search.another")}
          </button>
        </ProblemFace>
      )}
      <QuotaLine />
      <div class="hero-more">
        <AddressForm />
        <label class="switch">
          <input
            type="checkbox"
            checked={isPublic.value}
            onChange={(event) => setPublic(event.currentTarget.checked)}
          />
          <span>
            {say("web.search.privacy")}
            <small>{say("web.search.privacyHint")}</small>
          </span>
        </label>
      </div>
    </div>
  );
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

/** The frame in which a picture is dropped, or from which one is chosen. */
function Frame() {
  const file = useRef<HTMLInputElement>(null);
  const camera = useRef<HTMLInputElement>(null);
  const take = (input: HTMLInputElement) => {
    const [picture] = input.files ?? [];
    input.value = "";
    if (picture) void searchPicture(picture);
  };
  return (
    <div class="frame">
      <button type="button" class="frame-button" onClick={() => file.current?.click()}>
        <Icon name="picture" />
        <strong class="for-mouse">{say("web.search.area")}</strong>
        <strong class="for-touch">{say("web.search.areaTouch")}</strong>
        <span class="for-mouse">{say("web.search.areaHint")}</span>
        <span class="frame-choose for-mouse">{say("web.search.choose")}</span>
      </button>
      <button type="button" class="frame-camera for-touch" onClick={() => camera.current?.click()}>
        <Icon name="camera" />
        {say("web.search.camera")}
      </button>
      <input
        ref={file}
        class="picture-file"
        type="file"
        accept="image/*"
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

/** The picture that is searched, with a light that goes over it. */
function Waiting() {
  const shown = search.value;
  const asked = shown.state === "searching" ? shown.asked : undefined;
  const frames = site.value?.frameCount ?? 0;
  return (
    <div class="frame searching" aria-busy="true">
      {asked && "url" in asked && <img src={asked.url} alt={say("web.search.yoursAlt")} />}
      <div class="scan" aria-hidden="true" />
      <p>
        {shown.state === "reading" && say("web.search.reading")}
        {shown.state === "searching" &&
          (frames > 0 ? say("web.search.searching", { count: frames }) : say("web.search.searchingAll"))}
        <button type="button" class="button small" onClick={cancelSearch}>
          {say("web.common.cancel")}
        </button>
      </p>
    </div>
  );
}

/** Frames of the sample library: the quickest way to see what this is. */
function Examples() {
  const examples = site.value?.examples ?? [];
  const id = useId();
  if (site.value !== undefined && examples.length === 0) return null;
  return (
    <div class="examples">
      <p id={id}>{say("web.search.tryIt")}</p>
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
  const anime = sayTitle(example.anime);
  const label =
    example.episode === null
      ? say("web.search.tryAnime", { anime })
      : say("web.search.tryFrame", { anime, episode: sayEpisodeOf(example.episode) });
  const search = async () => {
    try {
      const answer = await fetch(toOwnPreview(example.imageUrl, "m"));
      if (!answer.ok) throw new TypeError("The frame did not come.");
      await searchPicture(await answer.blob());
    } catch (error) {
      refuse(error);
    }
  };
  return (
    <button type="button" aria-label={label} title={anime} onClick={() => void search()}>
      <img src={toOwnPreview(example.imageUrl, "s")} alt="" width="160" height="90" decoding="async" />
    </button>
  );
}

function AddressForm() {
  const [address, setAddress] = useState("");
  const id = useId();
  const isGood = isAddress(address);
  return (
    <form
      class="address"
      onSubmit={(event) => {
        event.preventDefault();
        if (isGood) void searchAddress(address.trim());
      }}
    >
      <label for={id}>{say("web.search.address")}</label>
      <div>
        <input
          id={id}
          type="url"
          inputMode="url"
          autocomplete="off"
          required
          pattern="[hH][tT][tT][pP][sS]?://.+"
          placeholder={say("web.search.addressHint")}
          value={address}
          onInput={(event) => setAddress(event.currentTarget.value)}
        />
        <button type="submit" class="button">
          {say("web.search.addressGo")}
        </button>
      </div>
    </form>
  );
}
