import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import type { SignedIn } from "../api/auth.ts";
import { navigate, pageLocation } from "../routing/router.ts";
import { t } from "../state/language.ts";
import { session } from "../state/session.ts";

/** A page that requires a session; guests are redirected to the sign-in and back. */
export function MembersOnly(props: { title: string; children: (user: SignedIn) => ComponentChildren }) {
  const user = session.value;
  useEffect(() => {
    if (user !== null) return;
    const { path, query } = pageLocation.value;
    const returnPath = query.toString();
    const next = encodeURIComponent(`${path}${returnPath === "" ? "" : `?${returnPath}`}`);
    navigate(path.startsWith("/sign") ? path : `/sign-in?next=${next}`, { isReplacing: true });
  }, [user]);
  return (
    <>
      <h1 tabIndex={-1}>{props.title}</h1>
      {user ? props.children(user) : <p class="waiting">{t("web.common.loading")}</p>}
    </>
  );
}
