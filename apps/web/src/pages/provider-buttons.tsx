import { useState } from "preact/hooks";
import { auth } from "../api/auth.ts";
import { t } from "../state/language.ts";
import { site } from "../state/site.ts";
import { SignProblem } from "../ui/sign-problem.tsx";

/** The services, beside this site, with which users sign in. */
export function listProviders(): { id: "discord" | "oidc"; name: string }[] {
  const { hasDiscord = false, oidcName = null } = site.value?.signIn ?? {};
  return [
    ...(oidcName === null ? [] : [{ id: "oidc" as const, name: oidcName }]),
    ...(hasDiscord ? [{ id: "discord" as const, name: "Discord" }] : []),
  ];
}

/** A button for each service, which returns to a path of this site. */
export function ProviderButtons({ returnPath, className }: { returnPath: string; className: string }) {
  const [error, setError] = useState<unknown>(undefined);
  const go = async (id: "discord" | "oidc") => {
    try {
      location.assign(await auth.startProvider(id, returnPath));
    } catch (problem) {
      setError(problem);
    }
  };
  return (
    <>
      {listProviders().map(({ id, name }) => (
        <button key={id} type="button" class={className} onClick={() => void go(id)}>
          {t("web.sign.provider", { name })}
        </button>
      ))}
      <SignProblem error={error} />
    </>
  );
}
