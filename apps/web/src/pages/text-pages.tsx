import type { ComponentChildren } from "preact";
import { koma } from "../api/koma.ts";
import { toHref } from "../routing/router.ts";
import { t, words } from "../state/language.ts";
import { site } from "../state/site.ts";
import { siteText as text } from "../state/site-texts.ts";
import { ErrorPanel } from "../ui/error-panel.tsx";
import { ExampleImages } from "../ui/example-images.tsx";
import { Facts } from "../ui/facts.tsx";
import { type RequestState, useResponse } from "../ui/use-response.ts";

/** What Koma is, where its library comes from, and what is free. */
export function AboutPage() {
  return (
    <TextPage title={text("site.about.title")}>
      <p>{text("site.about.what")}</p>
      <p>{text("site.about.library")}</p>
      <p>{text("site.about.free")}</p>
    </TextPage>
  );
}

/** Questions of searchers, with example images and the limits of this site. */
export function FaqPage() {
  const limits = site.value?.limits;
  return (
    <TextPage title={text("site.faq.title")}>
      <Section title={text("site.faq.nothing.title")} text={text("site.faq.nothing.text")} />
      <ExampleImages heading="h3" />
      {limits && (
        <>
          <Section
            title={text("site.faq.formats.title")}
            text={text("site.faq.formats.text", { megabytes: Math.floor(limits.imageBytes / 1024 ** 2) })}
          />
          <Section
            title={text("site.faq.limits.title")}
            text={text("site.faq.limits.text", {
              guest: limits.guestSearchesPerDay,
              free: limits.freeCreditsPerDay,
              hourly: limits.searchesPerHour,
            })}
          />
        </>
      )}
      <Section title={text("site.faq.sure.title")} text={text("site.faq.sure.text")} />
      <Section title={text("site.faq.public.title")} text={text("site.faq.public.text")} />
    </TextPage>
  );
}

/** What is stored, for how long, and who receives it. */
export function PrivacyPage() {
  const days = site.value?.historyDays;
  const missingDays = site.value?.missingDays ?? 0;
  const services = site.value?.upstreams?.map(({ name }) => name) ?? [];
  return (
    <TextPage title={text("site.privacy.title")}>
      <Section title={text("site.privacy.images.title")} text={text("site.privacy.images.text")} />
      {services.length > 0 && (
        <Section
          title={text("site.privacy.upstreams.title")}
          text={text("site.privacy.upstreams.text", { services })}
        />
      )}
      {days !== undefined && (
        <Section
          title={text("site.privacy.searches.title")}
          text={text("site.privacy.searches.text", { days })}
        />
      )}
      {missingDays > 0 && (
        <Section
          title={text("site.privacy.missing.title")}
          text={text("site.privacy.missing.text", { days: missingDays })}
        />
      )}
      <Section title={text("site.privacy.limits.title")} text={text("site.privacy.limits.text")} />
      <Section title={text("site.privacy.account.title")} text={text("site.privacy.account.text")} />
      <Section title={text("site.privacy.cookies.title")} text={text("site.privacy.cookies.text")} />
    </TextPage>
  );
}

/** The terms of use. */
export function TermsPage() {
  return (
    <TextPage title={text("site.terms.title")}>
      <Section title={text("site.terms.service.title")} text={text("site.terms.service.text")} />
      <Section title={text("site.terms.use.title")} text={text("site.terms.use.text")} />
      <Section title={text("site.terms.rights.title")} text={text("site.terms.rights.text")} />
      <Section title={text("site.terms.account.title")} text={text("site.terms.account.text")} />
    </TextPage>
  );
}

type Figure = [name: string, figure: string];

/** Whether the API and its searches work, and the amount of indexed video. */
export function StatusPage() {
  const { formatNumber } = words();
  const health = useResponse((signal) => koma.getHealth({}, { signal }), []);
  const readiness = useResponse((signal) => koma.getReadiness({}, { signal }), []);
  const { value, error, again } = useResponse((signal) => koma.getStatus({}, { signal }), []);
  const describe = ({ value, isLoading }: RequestState<unknown>) => {
    if (value !== undefined) return text("site.status.works");
    return text(isLoading ? "site.status.checking" : "site.status.fails");
  };
  const figures: Figure[] = value
    ? [
        [text("site.status.anime"), formatNumber(value.library.anime)],
        [text("site.status.episodes"), formatNumber(value.library.episodes)],
        [text("site.status.frames"), formatNumber(value.library.frames)],
        ...(value.library.outdated > 0
          ? [[text("site.status.outdated"), formatNumber(value.library.outdated)] satisfies Figure]
          : []),
        [text("site.status.hours"), formatNumber(Math.round(value.library.durationSeconds / 360) / 10)],
        [text("site.status.queue"), formatNumber(value.searches.running)],
        [text("site.status.waiting"), formatNumber(value.searches.waiting)],
        [text("site.status.version"), value.version],
      ]
    : [];
  const states: Figure[] = [
    [text("site.status.api"), describe(health)],
    [text("site.status.index"), describe(readiness)],
  ];
  return (
    <TextPage title={text("site.status.title")}>
      <Facts facts={[...states, ...figures]} />
      {error !== undefined && <ErrorPanel error={error} retry={again} />}
    </TextPage>
  );
}

function TextPage({ title, children }: { title: string; children: ComponentChildren }) {
  const contact = site.value?.contact;
  return (
    <div class="text-page">
      <h1 tabIndex={-1}>{title}</h1>
      {children}
      {contact && (
        <p>
          {text("site.contact")}{" "}
          <a href={contact.includes("://") ? contact : `mailto:${contact}`}>{contact}</a>
        </p>
      )}
      <p>
        <a data-outside href={toHref("/docs")}>
          {t("web.footer.api")}
        </a>
      </p>
    </div>
  );
}

function Section({ title, text }: { title: string; text: string }) {
  return (
    <section>
      <h2>{title}</h2>
      <p>{text}</p>
    </section>
  );
}
