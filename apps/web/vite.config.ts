import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { preact } from "@preact/preset-vite";
import { defineConfig, type Plugin } from "vite";

const outDir = fileURLToPath(new URL("dist/page", import.meta.url));

/**
 * The built page has relative addresses, so that it works under any path prefix. `vite` alone serves it for
 * an API at port 3000.
 */
export default defineConfig({
  root: fileURLToPath(new URL("src", import.meta.url)),
  base: "./",
  plugins: [preact(), preloadPage(), compress()],
  build: {
    outDir,
    emptyOutDir: true,
    target: "es2022",
    cssTarget: ["chrome123", "safari17.5", "firefox121"],
    // The page's policy does not allow `data:`.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // Zod tests at its first schema whether it can compile code. The page's policy forbids that, and the
    // browser logs it.
    rolldownOptions: { output: { banner: "globalThis.__zod_globalConfig = { jitless: true };" } },
  },
  server: {
    proxy: { "/api": "http://127.0.0.1:3000", "/previews": "http://127.0.0.1:3000" },
  },
});

/** Adds a preload of the page's own chunks, which the start script imports, to the HTML. */
function preloadPage(): Plugin {
  return {
    name: "koma-preload-page",
    apply: "build",
    transformIndexHtml(_html, { bundle = {} }) {
      const chunks = Object.values(bundle).filter((file) => file.type === "chunk");
      const page = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith("/main.tsx"));
      const started = chunks.find(({ isEntry }) => isEntry);
      if (page === undefined || started === undefined) throw new Error("The build has no page.");
      const loaded = new Set([started.fileName, ...started.imports]);
      return [...page.imports, page.fileName]
        .filter((name) => !loaded.has(name))
        .map((name) => ({
          tag: "link",
          attrs: { rel: "modulepreload", crossorigin: true, href: `./${name}` },
          injectTo: "head",
        }));
    },
  };
}

/**
 * Writes a compressed copy of each text file, which the API sends unchanged, and then a file whose time the
 * starter compares with those of the sources.
 */
function compress(): Plugin {
  const marker = join(outDir, "../.built");
  return {
    name: "koma-compress",
    apply: "build",
    buildStart() {
      rmSync(marker, { force: true });
    },
    closeBundle() {
      for (const name of readdirSync(outDir, { recursive: true, encoding: "utf8" })) {
        if (!/\.(?:js|css|svg)$/.test(name)) continue;
        const file = join(outDir, name);
        const bytes = readFileSync(file);
        const params = { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
        writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params }));
        writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
      }
      writeFileSync(marker, "");
    },
  };
}
