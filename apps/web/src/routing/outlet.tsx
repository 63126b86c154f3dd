import type { PagePath } from "@koma/contract";
import type { ComponentType } from "preact";
import { useEffect, useLayoutEffect, useState } from "preact/hooks";
import { SearchPage } from "../pages/search-page.tsx";
import { t } from "../state/language.ts";
import { arrive } from "./arrive.ts";
import { type PageProps, pageLocation, toHref, visit } from "./router.ts";

type Load = () => Promise<ComponentType>;
type Shown = { Page: ComponentType<PageProps>; props: PageProps };

/** The pages that are loaded when they are opened. The search is part of the first load. */
const routes: Record<Exclude<PagePath, "/" | "/search/:id">, Load> = {
  "/rankings": async () => (await import("../pages/rankings-page.tsx")).RankingsPage,
  "/recent": async () => (await import("../pages/recent-page.tsx")).RecentPage,
  "/library": async () => (await import("../pages/library-page.tsx")).LibraryPage,
  "/status": withSiteTexts(async () => (await import("../pages/text-pages.tsx")).StatusPage),
  "/about": withSiteTexts(async () => (await import("../pages/text-pages.tsx")).AboutPage),
  "/faq": withSiteTexts(async () => (await import("../pages/text-pages.tsx")).FaqPage),
  "/get": withSiteTexts(async () => (await import("../pages/get-page.tsx")).GetPage),
  "/privacy": withSiteTexts(async () => (await import("../pages/text-pages.tsx")).PrivacyPage),
  "/terms": withSiteTexts(async () => (await import("../pages/text-pages.tsx")).TermsPage),
  "/sign-in": async () => (await import("../pages/sign-pages.tsx")).SignInPage,
  "/sign-up": async () => (await import("../pages/sign-pages.tsx")).SignUpPage,
  "/reset": withSiteTexts(async () => (await import("../pages/reset-page.tsx")).ResetPage),
  "/account": async () => (await import("../pages/account-page.tsx")).AccountPage,
  "/keys": async () => (await import("../pages/keys-page.tsx")).KeysPage,
  "/history": async () => (await import("../pages/history-page.tsx")).HistoryPage,
  "/device": withSiteTexts(async () => (await import("../pages/device-page.tsx")).DevicePage),
  "/link": withSiteTexts(async () => (await import("../pages/device-page.tsx")).DevicePage),
  "/operator": withSiteTexts(async () => (await import("../pages/operator-page.tsx")).OperatorPage),
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
  const id = /^\/search\/([\w-]+)$/.exec(path)?.[1];
  return path === "/" || id !== undefined ? { Page: SearchPage, props: { id } } : undefined;
}

async function find(path: string): Promise<Shown> {
  const atOnce = findAtOnce(path);
  if (atOnce !== undefined) return atOnce;
  const load = new Map<string, Load>(Object.entries(routes)).get(path);
  return { Page: (await load?.().catch(() => BrokenPage)) ?? MissingPage, props: {} };
}

/** Loads a page whose texts are not part of the first load, and these. */
function withSiteTexts(load: Load): Load {
  return async () => {
    const { loadSiteTexts } = await import("../state/site-texts.ts");
    const [Page] = await Promise.all([load(), loadSiteTexts()]);
    return Page;
  };
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
