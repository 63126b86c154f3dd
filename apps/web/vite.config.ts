import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { preact } from "@preact/preset-vite";
import { defaultClientConditions, defineConfig, type Plugin } from "vite";

const outDir = fileURLToPath(new URL("dist/page", import.meta.url));

/** The built page; relative addresses, so that it works under any path prefix. `vite` alone serves it over an API at port 3000. */
export default defineConfig({
  root: fileURLToPath(new URL("src", import.meta.url)),
  base: "./",
  resolve: { conditions: ["koma-source", ...defaultClientConditions] },
  plugins: [preact(), compress()],
  build: {
    outDir,
    emptyOutDir: true,
    target: "es2022",
    cssTarget: ["chrome123", "safari17.5", "firefox121"],
    // The page's policy knows no `data:`.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // Zod asks, when its first schema is made, whether it may compile code; the page's policy forbids that, and says so aloud.
    rolldownOptions: { output: { banner: "globalThis.__zod_globalConfig = { jitless: true };" } },
  },
  server: {
    proxy: { "/api": "http://127.0.0.1:3000", "/previews": "http://127.0.0.1:3000" },
  },
});

/** Writes each text file compressed beside it, which the API sends as it is. */
function compress(): Plugin {
  return {
    name: "koma-compress",
    apply: "build",
    closeBundle() {
      for (const name of readdirSync(outDir, { recursive: true, encoding: "utf8" })) {
        if (!/\.(?:js|css|svg)$/.test(name)) continue;
        const file = join(outDir, name);
        const bytes = readFileSync(file);
        const params = { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
        writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params }));
        writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
      }
    },
  };
}
