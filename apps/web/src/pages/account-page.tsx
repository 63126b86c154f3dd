import { useEffect, useRef, useState } from "preact/hooks";
import { auth } from "../api/auth.ts";
import { koma } from "../api/koma.ts";
import { navigate, pageLocation, toHref } from "../routing/router.ts";
import { notify } from "../state/announce.ts";
import { t } from "../state/language.ts";
import { loadQuota } from "../state/quota.ts";
import { endSession, session } from "../state/session.ts";
import { CodeField, NewPasswordField, PasswordField } from "../ui/account-fields.tsx";
import { ActionDialog } from "../ui/action-dialog.tsx";
import { ErrorPanel } from "../ui/error-panel.tsx";
import { SubmitButton } from "../ui/field.tsx";
import { MembersOnly } from "../ui/members-only.tsx";
import { SignProblem } from "../ui/sign-problem.tsx";
import { UsageChart } from "../ui/usage-chart.tsx";
import { useResponse } from "../ui/use-response.ts";
import { type ReadField, useWork } from "../ui/use-work.ts";
import { AccountSessions } from "./account-sessions.tsx";
import { AccountTwoFactor } from "./account-two-factor.tsx";
import { ProviderButtons } from "./provider-buttons.tsx";

/** Credits, products, the searches of 30 days, the password, the second factor, the sessions and the deletion of the account. */
export function AccountPage() {
  return (
    <MembersOnly title={t("web.account.title")}>
      {(user) => (
        <div class="account">
          <p class="lead">
            {t("web.account.hello", { name: user.name })} · {user.email}
          </p>
          <PurchaseNote />
          <Credits />
          <Products />
          <ul class="tiles">
            {(["history", "keys", "device"] as const).map((page) => (
              <li key={page}>
                <a href={toHref(`/${page}`)}>{t(`web.nav.${page}`)}</a>
              </li>
            ))}
          </ul>
          <UsageChart />
          <Security />
        </div>
      )}
    </MembersOnly>
  );
}

/** The outcome of a purchase, from the address that Stripe returns to. */
function PurchaseNote() {
  const purchase = pageLocation.value.query.get("purchase");
  if (purchase !== "done" && purchase !== "cancelled") return null;
  return (
    <p class="note" role="status">
      {t(purchase === "done" ? "web.account.purchaseDone" : "web.account.purchaseCancelled")}
    </p>
  );
}

function Credits() {
  const { value, error, again } = useResponse((signal) => koma.getCredits({}, { signal }), []);
  if (error !== undefined) return <ErrorPanel error={error} retry={again} />;
  if (value === undefined) return <p class="waiting">{t("web.common.loading")}</p>;
  const { free, purchased, hourly } = value;
  const resetsAt = new Date(free.resetsAt);
  return (
    <section class="card credits" aria-labelledby="credits">
      <h2 id="credits">{t("web.account.credits")}</h2>
      <p class="big-number">{value.remaining}</p>
      <dl>
        <div>
          <dt>{t("web.account.free")}</dt>
          <dd>
            {t("web.account.freeLeft", { remaining: free.remaining, limit: free.limit })}
            <Meter part={free.remaining} whole={free.limit} />
            <small>{t("web.account.freeResets", { at: resetsAt })}</small>
          </dd>
        </div>
        <div>
          <dt>{t("web.account.purchased")}</dt>
          <dd>
            {purchased.remaining}
            <small>{t("web.account.purchasedHint")}</small>
          </dd>
        </div>
        <div>
          <dt>{t("web.account.hourly")}</dt>
          <dd>
            {t("web.account.hourlyLeft", { remaining: hourly.remaining, limit: hourly.limit })}
            <Meter part={hourly.remaining} whole={hourly.limit} />
          </dd>
        </div>
      </dl>
    </section>
  );
}

function Meter({ part, whole }: { part: number; whole: number }) {
  return (
    <div class="bar" aria-hidden="true">
      <i style={{ width: `${whole === 0 ? 0 : Math.min(1, part / whole) * 100}%` }} />
    </div>
  );
}

function Products() {
  const { value } = useResponse((signal) => koma.listProducts({}, { signal }), []);
  const [error, setError] = useState<unknown>(undefined);
  if (value === undefined || value.items.length === 0) return null;
  const buy = async (productId: string) => {
    try {
      location.assign((await koma.createCheckout({ productId })).url);
    } catch (problem) {
      setError(problem);
    }
  };
  return (
    <section class="card" aria-labelledby="buy">
      <h2 id="buy">{t("web.account.buyTitle")}</h2>
      <ul class="wrap products">
        {value.items.map(({ productId, credits }) => (
          <li key={productId}>
            <button type="button" class="button" onClick={() => void buy(productId)}>
              {t("web.account.buy", { count: credits })}
            </button>
          </li>
        ))}
      </ul>
      <small>{t("web.account.buyHint")}</small>
      {error !== undefined && <ErrorPanel error={error} />}
    </section>
  );
}

function Security() {
  const [hasPassword, setHasPassword] = useState<boolean | undefined>(undefined);
  const [changes, setChanges] = useState(0);
  useEffect(() => {
    auth.hasPassword().then(setHasPassword, () => setHasPassword(true));
  }, []);
  const onChanged = () => setChanges((count) => count + 1);
  return (
    <>
      {hasPassword && <PasswordForm onChanged={onChanged} />}
      {hasPassword && <AccountTwoFactor onChanged={onChanged} />}
      <AccountSessions changes={changes} />
      <DeleteAccount hasPassword={hasPassword ?? true} />
    </>
  );
}

/** Proves the owner of an account with a second factor; changes of other accounts need no code. */
const proveWithCode = (read: ReadField) =>
  auth.proveWithCode(session.value?.isTwoFactorEnabled ? read("code") : undefined);

function PasswordForm({ onChanged }: { onChanged: () => void }) {
  const form = useRef<HTMLFormElement>(null);
  const { isBusy, error, start } = useWork(async (read) => {
    const revokeApiKeys = read("revokeApiKeys") !== "";
    await proveWithCode(read);
    await auth.changePassword({
      currentPassword: read("password"),
      newPassword: read("newPassword"),
      revokeApiKeys,
    });
    form.current?.reset();
    notify(t(revokeApiKeys ? "web.account.passwordAndKeysChanged" : "web.account.passwordChanged"));
    onChanged();
  });
  return (
    <section class="card" aria-labelledby="password">
      <h2 id="password">{t("web.account.password")}</h2>
      <form ref={form} class="two" onSubmit={start}>
        <PasswordField label={t("web.account.currentPassword")} />
        <NewPasswordField />
        {session.value?.isTwoFactorEnabled && <CodeField />}
        <label class="switch">
          <input type="checkbox" name="revokeApiKeys" />
          <span>{t("web.account.revokeKeys")}</span>
        </label>
        <SignProblem error={error} />
        <SubmitButton isBusy={isBusy} className="">
          {t("web.account.changePassword")}
        </SubmitButton>
      </form>
    </section>
  );
}

function DeleteAccount({ hasPassword }: { hasPassword: boolean }) {
  const [isConfirming, setConfirming] = useState(false);
  const work = async (read: ReadField) => {
    await proveWithCode(read);
    await auth.deleteAccount(hasPassword ? read("password") : undefined);
    navigate("/", { isReplacing: true });
    await endSession();
    notify(t("web.account.deleted"));
    void loadQuota();
  };
  return (
    <section class="card" aria-labelledby="delete">
      <h2 id="delete">{t("web.account.deleteTitle")}</h2>
      <p>{t("web.account.deleteText")}</p>
      <button type="button" class="button" onClick={() => setConfirming(true)}>
        {t("web.account.delete")}
      </button>
      {isConfirming && (
        <ActionDialog
          title={t("web.account.deleteTitle")}
          action={t("web.account.deleteConfirm")}
          work={work}
          onClose={() => setConfirming(false)}
        >
          <p>{t("web.account.deleteText")}</p>
          {hasPassword ? (
            <PasswordField />
          ) : (
            <>
              <p>{t("web.account.deleteHint")}</p>
              <ProviderButtons returnPath="/account" className="button" />
            </>
          )}
          {session.value?.isTwoFactorEnabled && <CodeField />}
        </ActionDialog>
      )}
    </section>
  );
}
