import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { toAddress, toHref } from "../routing/router.ts";
import { t } from "../state/language.ts";
import { siteText as text } from "../state/site-texts.ts";
import { Field } from "../ui/field.tsx";

/** The ways to search without this page: the extension, small clients with the address filled in, bots and the API. */
export function GetPage() {
  const [written, setWritten] = useState("");
  const key = written.trim();
  const isKey = /^koma_[A-Za-z0-9]{52}$/.test(key);
  const download = (file: string) => <Download file={file} apiKey={isKey ? key : undefined} />;
  return (
    <div class="text-page">
      <h1 tabIndex={-1}>{text("site.get.title")}</h1>
      <p>{text("site.get.lead")}</p>
      <Field
        label={text("site.get.key")}
        hint={text("site.get.keyHint")}
        problem={key === "" || isKey ? undefined : text("site.get.keyInvalid")}
        type="password"
        autocomplete="off"
        isOptional
        value={written}
        onText={setWritten}
      />
      <Way title={text("site.get.extension.title")}>
        <p>{text("site.get.extension.text", { address: toAddress("/") })}</p>
      </Way>
      <Way title={text("site.get.userscript.title")}>
        <p>{text("site.get.userscript.text")}</p>
        {download("koma.user.js")}
      </Way>
      <Way title="ShareX">
        <p>{text("site.get.shareX.text")}</p>
        {download("koma.sxcu")}
      </Way>
      <Way title="mpv">
        <p>{text("site.get.mpv.text")}</p>
        {download("koma.lua")}
      </Way>
      <Way title={text("site.get.shortcut.title")}>
        <p>
          {text("site.get.shortcut.text", {
            address: searchAddress(),
            title: "matches.1.anime.title.romaji",
            time: "matches.1.timestamp",
          })}
        </p>
      </Way>
      <Way title={text("site.get.bots.title")}>
        <p>{text("site.get.bots.text")}</p>
      </Way>
      <Way title={text("site.get.api.title")}>
        <p>{text("site.get.api.text")}</p>
        {/* The command shows no key: readers copy it where others see it. */}
        <pre class="command" dir="ltr">
          {`curl -F image=@frame.jpg '${searchAddress()}'`}
        </pre>
        {download("koma.py")}
        <p>
          <a data-outside href={toHref("/docs")}>
            {t("web.footer.api")}
          </a>
        </p>
      </Way>
    </div>
  );
}

function searchAddress(): string {
  return toAddress("/api/anime/search");
}

function Way({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <section>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

/** A button that downloads a client. The key is sent by POST, so that no log contains it. */
function Download({ file, apiKey }: { file: string; apiKey: string | undefined }) {
  return (
    <form method="post" action={toHref(`/connect/${file}`)}>
      {apiKey !== undefined && <input type="hidden" name="key" value={apiKey} />}
      <button type="submit" class="button small">
        {text("site.get.download", { file })}
      </button>
    </form>
  );
}
