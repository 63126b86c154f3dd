import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { pageRoutes } from "@koma/contract";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { rankingsFeedPath } from "../routes/rankings-feed.ts";
import type { SharedScenes } from "../search/shared-scenes.ts";
import { addLinkPreview, describeShared, describeSite, type LinkPreview } from "./link-preview.ts";
import { createStaticDocument, sendTagged, type TaggedDocument, tagDocument } from "./static-document.ts";

const builtFolder = fileURLToPath(new URL("../../../web/dist/page", import.meta.url));

/** Paths that search engines do not index: the API and personal pages. */
const privatePaths = [
  "/api/",
  "/mcp",
  ...pageRoutes.filter(({ isPublic }) => !isPublic).map(({ path }) => path),
];

/** No resources of other origins, no inline scripts or styles. Images that the page creates are `blob:`. */
const contentSecurityPolicy = [
  "default-src 'self'",
  "img-src 'self' blob:",
  "media-src 'self' blob:",
  "object-src 'none'",
  "base-uri 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types service-worker",
].join(";");

/**
 * Serves the built page of apps/web from memory: only files that exist at the start have an address. Logs a
 * message and serves nothing where the page is not built.
 */
export async function registerWebPage(
  app: FastifyInstance,
  options: { getBaseUrl: () => string; folder?: string | undefined; sharedScenes: SharedScenes },
): Promise<void> {
  const files = await readFolder(options.folder ?? builtFolder);
  const page = files.get("/index.html");
  if (page === undefined) {
    app.log.info("The web page is not built, so it is not served.");
    return;
  }
  const html = page.identity.body.toString();
  let written: ({ baseUrl: string } & TaggedDocument) | undefined;

  /** The page of the site, without a shared result. */
  function writeSitePage() {
    const baseUrl = options.getBaseUrl();
    if (written?.baseUrl !== baseUrl) {
      written = { baseUrl, ...createStaticDocument(writePage(html, describeSite(baseUrl), baseUrl)) };
    }
    return written;
  }

  /** The page of a search. All searches that are not shared have the page of the site. */
  async function writeSearchPage(request: FastifyRequest<{ Params: { id?: string } }>) {
    const { id = "" } = request.params;
    if (!/^[\w-]{1,64}$/.test(id)) return writeSitePage();
    try {
      const scene = await options.sharedScenes.find(id);
      if (scene === undefined) return writeSitePage();
      const baseUrl = options.getBaseUrl();
      return tagDocument(writePage(html, describeShared(id, scene, baseUrl), baseUrl));
    } catch (error) {
      // The page shows by itself that the database is unavailable.
      request.log.warn({ err: error }, "a link preview could not be written");
      return writeSitePage();
    }
  }

  const config = { rateLimit: false } as const;
  for (const { path: url } of pageRoutes) {
    const isSearch = url === "/search/:id";
    // The pages are in memory, except for the previews of searches.
    app.get<{ Params: { id?: string } }>(url, isSearch ? {} : { config }, async (request, reply) => {
      const document = isSearch ? await writeSearchPage(request) : writeSitePage();
      secure(reply).type("text/html; charset=utf-8").header("cache-control", "no-cache");
      return sendTagged(request, reply, document);
    });
  }
  // A browser gets the page with its own "not found" message; programs get the problem as JSON.
  app.get("/*", { config }, async (request, reply) => {
    if (!isPageRequest(request)) return reply.callNotFound();
    secure(reply).code(404).type("text/html; charset=utf-8").header("cache-control", "no-store");
    return reply.send(writeSitePage().body);
  });
  app.get("/robots.txt", { config }, async (_request, reply) => {
    const prefix = new URL(options.getBaseUrl()).pathname.replace(/\/$/, "");
    const rules = privatePaths.map((path) => `Disallow: ${prefix}${path}`);
    return reply.type("text/plain; charset=utf-8").send(`${["User-agent: *", ...rules].join("\n")}\n`);
  });
  for (const [path, file] of files) {
    if (path === "/index.html") continue;
    const lasts = path.startsWith("/assets/")
      ? "public, max-age=31536000, immutable"
      : "public, max-age=3600";
    app.get(path, { config }, async (request, reply) => {
      const encoding = chooseEncoding(request, file);
      secure(reply).type(file.contentType).header("cache-control", lasts).header("vary", "accept-encoding");
      if (encoding !== "identity") reply.header("content-encoding", encoding);
      return sendTagged(request, reply, file[encoding] ?? file.identity);
    });
  }
}

const feedLink = `<link rel="alternate" type="application/atom+xml" title="Koma" href="${rankingsFeedPath}" />`;

/** Relative addresses in the page resolve against its base, whatever the path of the request. */
function writePage(html: string, preview: LinkPreview, baseUrl: string): string {
  const prefix = new URL(baseUrl).pathname.replace(/\/?$/, "/");
  const withBase = html.replace('<base href="/" />', `<base href="${prefix}" />`);
  return addLinkPreview(withBase.replace("</head>", `${feedLink}</head>`), preview);
}

/** True if a browser opens a page. Below `/api` and `/previews` there are no pages. */
function isPageRequest({ url, headers }: FastifyRequest): boolean {
  return /\btext\/html\b/.test(headers.accept ?? "") && !/^\/(?:api|previews|assets)(?:[/?]|$)/.test(url);
}

// `@fastify/static` reads a file for each request, so an update of the files breaks pages that are open. Files in
// memory belong together until the next start.
type Encoding = "br" | "gzip" | "identity";
type PageFile = { contentType: string; identity: TaggedDocument; br?: TaggedDocument; gzip?: TaggedDocument };

/**
 * The page's files by their addresses, with the compressed variants of the build; empty if the folder does
 * not exist.
 */
async function readFolder(folder: string): Promise<Map<string, PageFile>> {
  const files = new Map<string, PageFile>();
  const names = await readdir(folder, { recursive: true }).catch((error: unknown) => {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  });
  for (const name of names) {
    const contentType = contentTypes[/\.\w+$/.exec(name)?.[0] ?? ""];
    if (contentType === undefined) continue;
    const read = async (ending: string) =>
      createStaticDocument(await readFile(join(folder, `${name}${ending}`)));
    const br = await read(".br").catch(() => undefined);
    const gzip = await read(".gz").catch(() => undefined);
    const file = { contentType, identity: await read(""), ...(br && { br }), ...(gzip && { gzip }) };
    files.set(`/${name.replaceAll("\\", "/")}`, file);
  }
  return files;
}

const contentTypes: Record<string, string | undefined> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".ico": "image/vnd.microsoft.icon",
  ".webp": "image/webp",
  ".webmanifest": "application/manifest+json",
};

function chooseEncoding(request: FastifyRequest, file: PageFile): Encoding {
  const accepted = String(request.headers["accept-encoding"] ?? "");
  if (file.br !== undefined && /\bbr\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/.test(accepted)) return "br";
  if (file.gzip !== undefined && /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/.test(accepted)) return "gzip";
  return "identity";
}

function secure(reply: FastifyReply): FastifyReply {
  return reply
    .header("content-security-policy", contentSecurityPolicy)
    .header("cross-origin-resource-policy", "same-origin")
    .header("permissions-policy", "camera=(), geolocation=(), microphone=()");
}
