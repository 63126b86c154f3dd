import { t } from "../state/language.ts";
import { Icon } from "../ui/icons.tsx";
import type { Query } from "./searching.ts";

const engines = [
  { name: "trace.moe", page: "https://trace.moe/", search: "https://trace.moe/?url=" },
  { name: "SauceNAO", page: "https://saucenao.com/", search: "https://saucenao.com/search.php?url=" },
  { name: "IQDB", page: "https://iqdb.org/", search: "https://iqdb.org/?url=" },
  { name: "ascii2d", page: "https://ascii2d.net/", search: "https://ascii2d.net/search/url/" },
  { name: "Google Lens", page: "https://lens.google/", search: "https://lens.google.com/uploadbyurl?url=" },
] as const;

/** Links to other search engines, with the address of the image only if the query was a public address. */
export function OtherEngines({ query }: { query: Query | undefined }) {
  const address = query && "address" in query ? query.address : undefined;
  return (
    <section class="engines" aria-labelledby="engines">
      <h2 id="engines">{t("web.result.engines")}</h2>
      <ul class="wrap">
        {engines.map(({ name, page, search }) => (
          <li key={name}>
            <a
              class="button"
              href={address === undefined ? page : `${search}${encodeURIComponent(address)}`}
              target="_blank"
              rel="noreferrer"
            >
              {name}
              <Icon name="outside" />
            </a>
          </li>
        ))}
      </ul>
      <small>{t("web.result.enginesHint")}</small>
    </section>
  );
}
