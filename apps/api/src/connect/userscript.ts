/** A script for Tampermonkey and Violentmonkey; Greasemonkey has no `GM_xmlhttpRequest`. */
export const userscript = `// ==UserScript==
// @name        Koma: find this scene
// @description Alt+Shift+click an image to find the anime, the episode and the second it shows.
// @version     1.0.0
// @match       *://*/*
// @grant       GM_xmlhttpRequest
// @connect     @HOST@
// @connect     *
// ==/UserScript==

const BASE_URL = @BASE_URL@;
const KEY = @KEY@;

const send = (options) =>
  new Promise((resolve, reject) => {
    GM_xmlhttpRequest({ ...options, onload: resolve, onerror: () => reject(new Error(options.url + " cannot be reached.")) });
  });

async function findScene(image) {
  const { response } = await send({ method: "GET", url: image.currentSrc || image.src, responseType: "blob" });
  const data = new FormData();
  data.append("image", response, "image");
  const { responseText } = await send({
    method: "POST",
    url: BASE_URL + "/api/anime/search",
    headers: KEY ? { Authorization: "Bearer " + KEY } : {},
    data,
  });
  const result = JSON.parse(responseText);
  if (!result.matches) throw new Error(result.detail);
  return result.matches;
}

function describe({ anime, episode, timestamp, similarity }) {
  const title = anime.title.english ?? anime.title.romaji ?? anime.title.native ?? "?";
  const number = episode?.number == null ? "" : ", episode " + episode.number;
  const time = Math.floor(timestamp / 60) + ":" + String(Math.floor(timestamp % 60)).padStart(2, "0");
  return title + number + ", " + time + " (" + Math.round(similarity * 100) + " %)";
}

function show(lines) {
  document.getElementById("koma-panel")?.remove();
  const panel = document.createElement("div");
  panel.id = "koma-panel";
  panel.style.cssText =
    "position:fixed;z-index:2147483647;right:16px;bottom:16px;max-width:420px;padding:12px 16px;border-radius:8px;" +
    "background:#1c1c22;color:#fff;font:14px/1.5 system-ui,sans-serif;white-space:pre-line;cursor:pointer";
  panel.textContent = lines.join("\\n");
  panel.addEventListener("click", () => panel.remove());
  document.body.append(panel);
}

document.addEventListener(
  "click",
  async (event) => {
    if (!event.altKey || !event.shiftKey || !(event.target instanceof HTMLImageElement)) return;
    event.preventDefault();
    event.stopPropagation();
    show(["Searching…"]);
    try {
      const matches = await findScene(event.target);
      show(matches.length === 0 ? ["Nothing in the library looks like this image."] : matches.map(describe));
    } catch (error) {
      show([error.message]);
    }
  },
  true,
);
`;
