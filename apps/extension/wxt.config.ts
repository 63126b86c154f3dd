import { defineConfig } from "wxt";

/** The build of the extension for Chromium and Firefox, both Manifest V3. */
export default defineConfig({
  srcDir: "src",
  publicDir: "public",
  outDir: "dist",
  manifestVersion: 3,
  imports: false,
  manifest: ({ browser }) => ({
    name: "__MSG_extensionName__",
    short_name: "Koma",
    description: "__MSG_extensionDescription__",
    default_locale: "en",
    icons: { 16: "icons/16.png", 32: "icons/32.png", 48: "icons/48.png", 128: "icons/128.png" },
    action: { default_title: "__MSG_extensionName__" },
    commands: { _execute_action: { suggested_key: { default: "Alt+Shift+K" } } },
    permissions: ["activeTab", "contextMenus", "scripting", "storage"],
    // The options page requests the origin of the chosen server when the address is saved.
    optional_host_permissions: ["http://*/*", "https://*/*"],
    content_security_policy: {
      // Without a policy of its own, Firefox adds `upgrade-insecure-requests`, which breaks servers without
      // https.
      extension_pages:
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; media-src data:; " +
        "connect-src http: https: data:; base-uri 'none'; form-action 'none'",
    },
    web_accessible_resources: [
      browser === "firefox"
        ? { resources: ["panel.html"], matches: ["http://*/*", "https://*/*"] }
        : { resources: ["panel.html"], matches: ["http://*/*", "https://*/*"], use_dynamic_url: true },
    ],
    ...(browser === "firefox"
      ? {
          browser_specific_settings: {
            gecko: {
              id: "{6f2d9a34-58c1-4b7e-9d10-3a5c7e8f4b21}",
              strict_min_version: "140.0",
              data_collection_permissions: { required: ["websiteContent"] },
            },
          },
        }
      : { minimum_chrome_version: "123" }),
  }),
  vite: () => ({
    oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
    build: {
      target: "es2022",
      modulePreload: { polyfill: false },
      // Zod tests whether it can compile code, which the policy of extension pages forbids and the console
      // reports.
      rolldownOptions: { output: { banner: "globalThis.__zod_globalConfig = { jitless: true };" } },
    },
  }),
});
