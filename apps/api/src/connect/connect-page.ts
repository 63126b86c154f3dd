import { escapeHtml } from "../escape-html.ts";
import { type Connection, clientFiles, writeCurl } from "./clients.ts";

/** Renders the page with all small clients. It has no scripts, so the key stays in form fields. */
export function writeConnectPage(connection: Connection, error?: string): string {
  const { baseUrl, key } = connection;
  const action = (path: string) =>
    escapeHtml(`${new URL(baseUrl).pathname.replace(/\/$/, "")}/connect${path}`);
  const hiddenKey = key === undefined ? "" : `<input type="hidden" name="key" value="${escapeHtml(key)}">`;
  const download = ({ name }: { name: string }) =>
    `<form method="post" action="${action(`/${name}`)}">${hiddenKey}<button>Download ${name}</button></form>`;
  const authorization =
    key === undefined
      ? ""
      : `<li>Add the header <code>Authorization</code> with <code>Bearer ${escapeHtml(key)}</code>.</li>`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Connect to Koma</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>Connect to Koma</h1>
<p>Small clients for this server, <code>${escapeHtml(baseUrl)}</code>. They search as a guest, or with your API key.</p>
<form method="post" action="${action("")}">
<label for="key">API key</label>
<input id="key" name="key" type="password" autocomplete="off" value="${escapeHtml(key ?? "")}" placeholder="koma_…">
<button>Fill in</button>
${error === undefined ? "" : `<p role="alert">${escapeHtml(error)}</p>`}
</form>
<h2>ShareX</h2>
<p>Open the file, then choose Koma as the image uploader. The link of the result is copied after each capture.</p>
${download(clientFiles.shareX)}
<h2>iOS and macOS shortcut</h2>
<ol>
<li>Create a shortcut that receives <b>Images</b> from the share sheet.</li>
<li>Add <b>Get Contents of URL</b> with <code>${escapeHtml(`${baseUrl}/api/anime/search`)}</code>, method <b>POST</b>, request body
<b>Form</b>, and a field <code>image</code> of type <b>File</b> with the <b>Shortcut Input</b>.</li>
${authorization}
<li>Add <b>Get Dictionary Value</b> for the key <code>matches.1.anime.title.romaji</code>, and another for
<code>matches.1.timestamp</code>.</li>
<li>Add <b>Show Result</b> with both values.</li>
</ol>
<h2>Userscript</h2>
<p>For Tampermonkey or Violentmonkey: Alt+Shift+click an image on any page.</p>
${download(clientFiles.userscript)}
<h2>mpv</h2>
<p>Copy the file to the <code>scripts</code> folder of mpv. Ctrl+F searches the current frame, Ctrl+J jumps to the result. It needs curl.</p>
${download(clientFiles.mpv)}
<h2>curl</h2>
<pre tabindex="0">${escapeHtml(writeCurl(connection))}</pre>
<h2>Python</h2>
<p><code>python3 koma.py frame.jpg</code></p>
${download(clientFiles.python)}
<pre tabindex="0">${escapeHtml(clientFiles.python.write(connection))}</pre>
</main>
</body>
</html>
`;
}

/** The style of the page. The content security policy contains its hash. */
export const style = `
:root{color-scheme:light dark}
body{font:16px/1.6 system-ui,sans-serif;margin:0;background:light-dark(#f5f2ea,#121114);color:light-dark(#1b191d,#f3efe6)}
main{max-width:44rem;margin:0 auto;padding:2rem 1rem}
pre{overflow-x:auto;padding:1rem;border:1px solid light-dark(#dcd6c8,#38353d);border-radius:8px;font-size:.85rem}
code{overflow-wrap:anywhere}
input,button{font:inherit;padding:.4rem .7rem;max-width:100%;box-sizing:border-box}
`;
