import { auth, type DeviceSession } from "../api/auth.ts";
import { notify } from "../state/announce.ts";
import { t } from "../state/language.ts";
import { Rows } from "../ui/rows.tsx";
import { SignProblem } from "../ui/sign-problem.tsx";
import { SmallButton } from "../ui/small-button.tsx";
import { useResponse } from "../ui/use-response.ts";
import { useWork } from "../ui/use-work.ts";

/** The devices that are signed in to the account; `changes` loads them again when it differs. */
export function AccountSessions({ changes }: { changes: number }) {
  const response = useResponse(async () => ({ items: await auth.listSessions() }), [changes]);
  return (
    <section class="card" aria-labelledby="sessions">
      <h2 id="sessions" tabIndex={-1}>
        {t("web.account.sessions")}
      </h2>
      <Rows response={response}>
        {(one) => <SessionRow key={one.token} session={one} onRevoked={response.again} />}
      </Rows>
    </section>
  );
}

function SessionRow({ session, onRevoked }: { session: DeviceSession; onRevoked: () => void }) {
  const device = session.device ?? t("web.account.unknownDevice");
  const { error, start } = useWork(async () => {
    await auth.revokeSession(session.token);
    notify(t("web.account.sessionRevoked", { device }));
    onRevoked();
  });
  return (
    <li>
      <div>
        <strong>{device}</strong>
        <small>
          {t("web.account.signedInAt", { at: session.createdAt })}
          {session.isCurrent && ` · ${t("web.account.thisDevice")}`}
        </small>
        <SignProblem error={error} />
      </div>
      {!session.isCurrent && (
        <SmallButton label={t("web.account.revokeSessionLabel", { device })} onClick={start}>
          {t("web.account.revokeSession")}
        </SmallButton>
      )}
    </li>
  );
}
