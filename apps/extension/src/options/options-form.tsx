import { useEffect, useState } from "preact/hooks";
import { browser } from "wxt/browser";
import { describeFailure } from "../describe-failure.ts";
import { translator } from "../scene-texts.ts";
import {
  isUnencrypted,
  parseAddress,
  readSettings,
  type Settings,
  saveSettings,
  toPattern,
} from "../settings.ts";
import { text } from "../texts.ts";
import { type Connection, checkConnection } from "./check-connection.ts";

type State = "idle" | "checking" | "permissionDenied" | Connection;

/** The settings: the server, the API key, and whether they work. */
export function OptionsForm({ saved }: { saved: Settings | undefined }) {
  const [typed, setTyped] = useState(saved?.address ?? "");
  const [apiKey, setApiKey] = useState(saved?.apiKey ?? "");
  const [isKeyShown, setKeyShown] = useState(false);
  const [savedAddress, setSavedAddress] = useState(saved?.address);
  const [state, setState] = useState<State>("idle");
  const [isKeyCleared, setKeyCleared] = useState(false);
  const address = parseAddress(typed);
  const isBad = typed.trim() !== "" && address === undefined;
  const isSaved = address !== undefined && address === savedAddress;

  const changeAddress = (next: string) => {
    setTyped(next);
    setState("idle");
  };
  const check = async (settings: Settings) => {
    setState("checking");
    setState(await checkConnection(settings));
  };
  const save = async (event: Event) => {
    event.preventDefault();
    if (address === undefined) return;
    // Browsers show the permission prompt only as the direct result of a click.
    if (!(await browser.permissions.request({ origins: [toPattern(address)] }))) {
      setState("permissionDenied");
      return;
    }
    // A key belongs to one server: another one must not receive it.
    const isOtherServer =
      savedAddress !== undefined && new URL(savedAddress).origin !== new URL(address).origin;
    const isOldKey = isOtherServer && apiKey !== "" && apiKey.trim() === (await readSettings())?.apiKey;
    const key = isOldKey ? "" : apiKey.trim();
    if (isOtherServer && toPattern(savedAddress) !== toPattern(address)) {
      await browser.permissions.remove({ origins: [toPattern(savedAddress)] });
    }
    const settings = { address, ...(key !== "" && { apiKey: key }) };
    await saveSettings(settings);
    setTyped(address);
    setApiKey(key);
    setKeyCleared(isOldKey);
    setSavedAddress(address);
    await check(settings);
  };

  useEffect(() => {
    if (saved !== undefined) void check(saved);
  }, []);

  return (
    <main class="options">
      <h1>{text("optionsTitle")}</h1>
      <form onSubmit={save}>
        <label for="address">{text("addressLabel")}</label>
        <input
          id="address"
          type="text"
          inputMode="url"
          autocomplete="off"
          spellcheck={false}
          required
          placeholder="https://koma.example"
          value={typed}
          aria-describedby="address-hint"
          aria-invalid={isBad}
          onInput={(event) => changeAddress(event.currentTarget.value)}
        />
        <p id="address-hint" class={isBad ? "small bad" : "small quiet"}>
          {text(isBad ? "addressInvalid" : "addressHint")}
        </p>
        <label for="key">{text("keyLabel")}</label>
        <span class="key">
          <input
            id="key"
            {...(isKeyShown ? { type: "text" } : { type: "password" })}
            autocomplete="off"
            spellcheck={false}
            value={apiKey}
            aria-describedby="key-hint"
            onInput={(event) => setApiKey(event.currentTarget.value)}
          />
          <button type="button" aria-pressed={isKeyShown} onClick={() => setKeyShown(!isKeyShown)}>
            {text("showKey")}
          </button>
        </span>
        <p id="key-hint" class="small quiet">
          {text("keyHint")}
        </p>
        {address !== undefined && isUnencrypted(address) && (
          <p class="small bad" role="status">
            {text("unencrypted")}
          </p>
        )}
        <p class="actions">
          <button type="submit" class="main" disabled={state === "checking"}>
            {text("save")}
          </button>
          <button
            type="button"
            disabled={!isSaved || state === "checking"}
            onClick={async () => {
              const settings = await readSettings();
              if (settings !== undefined) await check(settings);
            }}
          >
            {text("testConnection")}
          </button>
        </p>
      </form>
      <div role="status" class="connection">
        {isKeyCleared && <p>{text("keyCleared")}</p>}
        {state === "checking" && <p>{text("testing")}</p>}
        {state === "permissionDenied" && <p class="bad">{text("permissionDenied")}</p>}
        {typeof state === "object" && <ConnectionView connection={state} />}
      </div>
      <p class="small quiet">{text("privacy")}</p>
    </main>
  );
}

/** The result of a test of the connection. */
function ConnectionView({ connection }: { connection: Connection }) {
  if (!("failure" in connection)) {
    const frames = translator.formatNumber(connection.frameCount);
    const searches = translator.formatNumber(connection.searchesLeft);
    return (
      <>
        <p class="good">{text("connected", frames)}</p>
        <p>{text(connection.hasAccount ? "accountSearches" : "guestSearches", searches)}</p>
      </>
    );
  }
  const { title, advice } = describeFailure(connection.failure);
  return (
    <>
      <p class="bad">{title}</p>
      <p>{advice}</p>
    </>
  );
}
