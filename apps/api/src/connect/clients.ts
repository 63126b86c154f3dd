import { mpvScript } from "./mpv-script.ts";
import { userscript } from "./userscript.ts";

/** The address of Koma and the API key to search with; without a key the client searches as a guest. */
export type Connection = { baseUrl: string; key: string | undefined };

/** A client file with the address and the key filled in. */
export type ClientFile = { name: string; contentType: string; write(connection: Connection): string };

/** The clients that are files, by their names on the page. */
export const clientFiles = {
  shareX: { name: "koma.sxcu", contentType: "application/json", write: writeShareX },
  userscript: {
    name: "koma.user.js",
    contentType: "text/javascript; charset=utf-8",
    write: (connection: Connection) => fill(userscript, connection, JSON.stringify),
  },
  mpv: {
    name: "koma.lua",
    contentType: "text/x-lua; charset=utf-8",
    write: (connection: Connection) => fill(mpvScript, connection, JSON.stringify),
  },
  python: {
    name: "koma.py",
    contentType: "text/x-python; charset=utf-8",
    write: (connection: Connection) => fill(pythonExample, connection, JSON.stringify),
  },
} satisfies Record<string, ClientFile>;

/** A shell command that searches `frame.jpg`. */
export function writeCurl({ baseUrl, key }: Connection): string {
  const header = key === undefined ? "" : `-H ${quote(`Authorization: Bearer ${key}`)} `;
  return `curl ${header}-F image=@frame.jpg ${quote(`${baseUrl}/api/anime/search`)}`;
}

/** https://getsharex.com/docs/custom-uploader */
function writeShareX({ baseUrl, key }: Connection): string {
  const uploader = {
    Version: "15.0.0",
    Name: "Koma",
    DestinationType: "ImageUploader",
    RequestMethod: "POST",
    RequestURL: `${baseUrl}/api/anime/search`,
    ...(key !== undefined && { Headers: { Authorization: `Bearer ${key}` } }),
    Body: "MultipartFormData",
    FileFormName: "image",
    // A search without a video address opens its page, which only the owner can read.
    URL: key === undefined ? "{json:matches[0].videoUrl}" : `${baseUrl}/search/{json:id}`,
    ThumbnailURL: "{json:matches[0].imageUrl}",
    ErrorMessage: "{json:detail}",
  };
  return `${JSON.stringify(uploader, undefined, 2)}\n`;
}

/**
 * A JSON string is a valid string in JavaScript, Lua and Python too, because addresses and keys are ASCII.
 */
function fill(template: string, { baseUrl, key }: Connection, write: (value: string) => string): string {
  return template
    .replaceAll("@HOST@", () => new URL(baseUrl).hostname)
    .replaceAll("@BASE_URL@", () => write(new URL(baseUrl).href.replace(/\/$/, "")))
    .replaceAll("@KEY@", () => write(key ?? ""));
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

const pythonExample = `import json, sys, urllib.error, urllib.request, uuid

BASE_URL = @BASE_URL@
KEY = @KEY@

boundary = uuid.uuid4().hex
with open(sys.argv[1], "rb") as file:
    body = (
        f'--{boundary}\\r\\nContent-Disposition: form-data; name="image"; filename="image"\\r\\n\\r\\n'.encode()
        + file.read()
        + f"\\r\\n--{boundary}--\\r\\n".encode()
    )
request = urllib.request.Request(
    BASE_URL + "/api/anime/search",
    data=body,
    headers={"Content-Type": f"multipart/form-data; boundary={boundary}"},
)
if KEY:
    request.add_header("Authorization", "Bearer " + KEY)
try:
    with urllib.request.urlopen(request) as response:
        result = json.load(response)
except urllib.error.HTTPError as error:
    sys.exit(json.load(error)["detail"])
for match in result["matches"]:
    title = match["anime"]["title"]
    episode = (match["episode"] or {}).get("number")
    print(
        title["english"] or title["romaji"] or title["native"],
        f"episode {episode}" if episode is not None else "",
        f"{match['timestamp']:.1f} s",
        f"{match['similarity']:.1%}",
        sep="\\t",
    )
`;
