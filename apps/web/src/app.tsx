import { languageNames, languages } from "@koma/messages/page";
import { useEffect, useRef, useState } from "preact/hooks";
import { Outlet } from "./routing/outlet.tsx";
import { pageLocation, toHref } from "./routing/router.ts";
import { isDragging } from "./search/image-input.ts";
import { announcement, notify, toast } from "./state/announce.ts";
import { setLanguage, t, words } from "./state/language.ts";
import { loadQuota } from "./state/quota.ts";
import { endSession, session } from "./state/session.ts";
import { site } from "./state/site.ts";
import { setTheme, type Theme, theme } from "./state/theme.ts";
import { Icon } from "./ui/icons.tsx";

/** The document: header, current page and footer. */
export function App() {
  return (
    <>
      <Header />
      <main>
        <Outlet />
      </main>
      <Footer />
      {isDragging.value && (
        <div class="drop-everywhere" aria-hidden="true">
          <span>{t("web.search.anywhere")}</span>
        </div>
      )}
      <Announcements />
    </>
  );
}

function Header() {
  return (
    <header class="row head">
      <a
        class="skip"
        href={toHref(pageLocation.value.path)}
        onClick={(event) => {
          event.preventDefault();
          document.querySelector<HTMLElement>("main h1")?.focus();
        }}
      >
        {t("web.skip")}
      </a>
      <a class="brand" href={toHref("/")} aria-label={t("web.nav.home")}>
        <svg viewBox="0 0 32 32" aria-hidden="true">
          <path class="brand-frame" d="M8.5 8.5h15v15h-15z" />
          <path
            class="brand-holes"
            d="M2 4h3.4v3.4H2zm0 6.9h3.4v3.4H2zm0 6.8h3.4v3.4H2zM2 24.600h3.4V28H2zM26.600 4H30v3.4h-3.4zm0 6.900H30v3.4h-3.4zm0 6.800H30v3.4h-3.4zm0 6.900H30V28h-3.400z"
          />
        </svg>
        <span>{t("web.name")}</span>
      </a>
      <nav class="row" aria-label={t("web.nav.label")}>
        <Tab path="/rankings">{t("web.nav.rankings")}</Tab>
        <Tab path="/recent">{t("web.nav.recent")}</Tab>
        {session.value === null && <Tab path="/sign-in">{t("web.nav.signIn")}</Tab>}
        {session.value && <AccountMenu name={session.value.name} isAdmin={session.value.isAdmin} />}
      </nav>
    </header>
  );
}

function Tab({ path, children }: { path: string; children: string }) {
  return (
    <a href={toHref(path)} aria-current={pageLocation.value.path === path ? "page" : undefined}>
      {children}
    </a>
  );
}

/** A menu of links. Escape and a click outside close it. */
function AccountMenu({ name, isAdmin }: { name: string; isAdmin: boolean }) {
  const [isOpen, setOpen] = useState(false);
  const menu = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const path = pageLocation.value.path;
  useEffect(() => setOpen(false), [path]);
  useEffect(() => {
    if (!isOpen) return undefined;
    const close = (event: Event) => {
      if (event instanceof KeyboardEvent) {
        if (event.key !== "Escape") return;
        button.current?.focus();
      } else if (event.target instanceof Node && menu.current?.contains(event.target)) return;
      setOpen(false);
    };
    document.addEventListener("pointerdown", close);
    document.addEventListener("keydown", close);
    return () => {
      document.removeEventListener("pointerdown", close);
      document.removeEventListener("keydown", close);
    };
  }, [isOpen]);
  const signOut = async () => {
    await endSession();
    notify(t("web.sign.goodbye"));
    void loadQuota();
  };
  return (
    <div class="menu" ref={menu}>
      <button
        ref={button}
        type="button"
        aria-expanded={isOpen}
        aria-controls="account-menu"
        aria-label={`${t("web.nav.accountLabel")}: ${name}`}
        onClick={() => setOpen(!isOpen)}
      >
        <Icon name="person" />
        <span class="menu-name" dir="auto">
          {name}
        </span>
      </button>
      <div id="account-menu" class="menu-list" hidden={!isOpen}>
        <Tab path="/account">{t("web.nav.account")}</Tab>
        <Tab path="/history">{t("web.nav.history")}</Tab>
        <Tab path="/keys">{t("web.nav.keys")}</Tab>
        <Tab path="/device">{t("web.nav.device")}</Tab>
        {isAdmin && <Tab path="/operator">{t("web.nav.operator")}</Tab>}
        <button type="button" onClick={() => void signOut()}>
          {t("web.nav.signOut")}
        </button>
      </div>
    </div>
  );
}

const themes: readonly Theme[] = ["auto", "light", "dark"];

function Footer() {
  return (
    <footer class="row foot">
      <p>{t("web.footer.privacy")}</p>
      <nav class="wrap foot-links" aria-label={t("web.footer.more")}>
        {(site.value?.isLibraryPublic || session.value?.isAdmin) && (
          <Tab path="/library">{t("web.nav.library")}</Tab>
        )}
        <Tab path="/about">{t("web.footer.about")}</Tab>
        <Tab path="/get">{t("web.footer.get")}</Tab>
        <Tab path="/faq">{t("web.footer.faq")}</Tab>
        <Tab path="/status">{t("web.footer.status")}</Tab>
        <Tab path="/privacy">{t("web.footer.policy")}</Tab>
        <Tab path="/terms">{t("web.footer.terms")}</Tab>
      </nav>
      <p class="row foot-choices">
        <a data-outside href={toHref("/docs")}>
          {t("web.footer.api")}
        </a>
        <label>
          {t("web.footer.theme")}{" "}
          <select
            value={theme.value}
            onChange={(event) => {
              const chosen = themes.find((known) => known === event.currentTarget.value);
              if (chosen) setTheme(chosen);
            }}
          >
            {themes.map((one) => (
              <option key={one} value={one} selected={one === theme.value}>
                {t(`web.footer.${one}`)}
              </option>
            ))}
          </select>
        </label>
        <label>
          {t("web.footer.language")}{" "}
          <select value={words().language} onChange={(event) => void setLanguage(event.currentTarget.value)}>
            {languages.map((language) => (
              <option
                key={language}
                value={language}
                lang={language}
                selected={language === words().language}
              >
                {languageNames[language]}
              </option>
            ))}
          </select>
        </label>
      </p>
    </footer>
  );
}

/** The live regions that announce events, one of them for all readers. */
function Announcements() {
  return (
    <>
      <div class="unseen" role="status" aria-live="polite">
        <span key={announcement.value.number}>{announcement.value.text}</span>
      </div>
      <div class={toast.value.text === "" ? "unseen" : "toast"} aria-live="polite">
        <span key={toast.value.number}>{toast.value.text}</span>
      </div>
    </>
  );
}
