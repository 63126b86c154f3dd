import { chooseTitle, formatEpisode, loadTranslator } from "@koma/messages/page";
import { escapeHtml } from "../escape-html.ts";
import type { SharedScene } from "../search/shared-scenes.ts";

/** The fields of a link preview (https://ogp.me). Without a scene they describe the site. */
export type LinkPreview = { title: string; description: string; address?: string; image?: string };

const english = await loadTranslator("en");

/** The preview of links to all pages except shared results. */
export function describeSite(baseUrl: string): LinkPreview {
  return {
    title: english.t("web.name"),
    description: english.t("web.search.lead"),
    image: `${baseUrl}/link-preview.png`,
  };
}

/**
 * The preview of the link to a shared result, in English: the services that fetch previews state no language.
 */
export function describeShared(id: string, scene: SharedScene, baseUrl: string): LinkPreview {
  const { anime, timestamp: at } = scene;
  const title = chooseTitle(anime.title, "en");
  const episode = formatEpisode(english, scene.episode);
  const values = { anime: title, at };
  return {
    title:
      episode === undefined
        ? english.t("web.result.headlineAnime", values)
        : english.t("web.result.headline", { ...values, episode }),
    description: english.t("web.result.shared"),
    address: `${baseUrl}/search/${id}`,
    image: `${baseUrl}/previews/shared/${id}`,
  };
}

/** The HTML of a page with the tags of its link preview. */
export function addLinkPreview(html: string, preview: LinkPreview): string {
  const { title, description, address, image } = preview;
  const tags = Object.entries({
    "og:site_name": english.t("web.name"),
    "og:type": "website",
    "og:title": title,
    "og:description": description,
    "og:url": address,
    "og:image": image,
    "twitter:card": image && "summary_large_image",
  }).flatMap(([name, content]) =>
    content === undefined ? [] : [`    <meta property="${name}" content="${escapeHtml(content)}" />\n`],
  );
  return html.replace(/ *<\/head>/, (end) => tags.join("") + end);
}
