import type { PagePath } from "@koma/contract";
import type { ComponentType } from "preact";
import { useEffect, useLayoutEffect, useState } from "preact/hooks";
import { SearchPage } from "../pages/search-page.tsx";
import { t } from "../state/language.ts";
import { arrive } from "./arrive.ts";
import { type PageProps, pageLocation, toHref, visit } from "./router.ts";

type Load = () => Promise<ComponentType<PageProps>>;
type Shown = { Page: ComponentType<PageProps>; props: PageProps };

type Route = ComponentType<PageProps> | { load: Load };

/**
 * The page of each path. The search is part of the first load; the other pages are loaded when they are
 * opened.
 */
const routes: Record<PagePath, Route> = {
  "/": SearchPage,
  "/search/:id": SearchPage,
  "/rankings": { load: async () => (await import("../pages/rankings-page.tsx")).RankingsPage },
  "/recent": { load: async () => (await import("../pages/recent-page.tsx")).RecentPage },
  "/library": { load: async () => (await import("../pages/library-page.tsx")).LibraryPage },
  "/status": { load: async () => await (await import("../pages/text-pages.tsx")).loadTextPage("status") },
  "/about": { load: async () => await (await import("../pages/text-pages.tsx")).loadTextPage("about") },
  "/faq": { load: async () => await (await import("../pages/text-pages.tsx")).loadTextPage("faq") },
  "/get": { load: async () => await (await import("../pages/get-page.tsx")).loadGetPage() },
  "/privacy": { load: async () => await (await import("../pages/text-pages.tsx")).loadTextPage("privacy") },
  "/terms": { load: async () => await (await import("../pages/text-pages.tsx")).loadTextPage("terms") },
  "/sign-in": { load: async () => (await import("../pages/sign-pages.tsx")).SignInPage },
  "/sign-up": { load: async () => (await import("../pages/sign-pages.tsx")).SignUpPage },
  "/reset": { load: async () => await (await import("../pages/reset-page.tsx")).loadResetPage() },
  "/account": { load: async () => (await import("../pages/account-page.tsx")).AccountPage },
  "/keys": { load: async () => (await import("../pages/keys-page.tsx")).KeysPage },
  "/history": { load: async () => (await import("../pages/history-page.tsx")).HistoryPage },
  "/device": { load: async () => await (await import("../pages/device-page.tsx")).loadDevicePage() },
  "/link": { load: async () => await (await import("../pages/device-page.tsx")).loadDevicePage() },
  "/operator": { load: async () => await (await import("../pages/operator-page.tsx")).loadOperatorPage() },
};

/** The current page; the previous one stays until the next is loaded. */
export function Outlet() {
  const { path } = pageLocation.value;
  const [shown, setShown] = useState<Shown | undefined>(() => findAtOnce(path));
  useEffect(() => {
    let isOver = false;
    void find(path).then((found) => {
      if (isOver) return;
      setShown((before) =>
        before?.Page === found.Page && before.props.id === found.props.id ? before : found,
      );
    });
    return () => {
      isOver = true;
    };
  }, [path]);
  const { Page, props } = shown ?? { Page: Waiting, props: {} };
  useLayoutEffect(arrive, [Page, props.id, visit.value]);
  return <Page {...props} />;
}

function findAtOnce(path: string): Shown | undefined {
  const { route, props } = match(path);
  return typeof route === "function" ? { Page: route, props } : undefined;
}

async function find(path: string): Promise<Shown> {
  const { route, props } = match(path);
  if (route === undefined) return { Page: MissingPage, props };
  if (typeof route === "function") return { Page: route, props };
  try {
    return { Page: await route.load(), props };
  } catch {
    return { Page: BrokenPage, props };
  }
}

function match(path: string) {
  const found = /^\/search\/([\w-]+)$/.exec(path);
  if (found) return { route: routes["/search/:id"], props: { id: found[1] } };
  const known: Record<string, Route> = routes;
  return { route: Object.hasOwn(routes, path) ? known[path] : undefined, props: {} };
}

function Waiting() {
  return <p class="waiting">{t("web.common.loading")}</p>;
}

function MissingPage() {
  return (
    <div class="narrow">
      <h1 tabIndex={-1}>{t("web.errors.pageMissing.title")}</h1>
      <p>{t("web.errors.pageMissing.text")}</p>
      <a class="button main" href={toHref("/")}>
        {t("web.errors.pageMissing.home")}
      </a>
    </div>
  );
}

/** Shown if a page could not be loaded: the network failed, or an update replaced the files. */
function BrokenPage() {
  return (
    <div class="narrow">
      <h1 tabIndex={-1}>{t("web.errors.pageBroken.title")}</h1>
      <p>{t("web.errors.pageBroken.text")}</p>
      <button type="button" class="button main" onClick={() => location.reload()}>
        {t("web.errors.pageBroken.reload")}
      </button>
    </div>
  );
}
