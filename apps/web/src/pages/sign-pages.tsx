import { useEffect, useState } from "preact/hooks";
import { AuthProblem, auth, type SignedIn } from "../api/auth.ts";
import { navigate, pageLocation, toHref } from "../routing/router.ts";
import { notify } from "../state/announce.ts";
import { t } from "../state/language.ts";
import { loadQuota } from "../state/quota.ts";
import { session } from "../state/session.ts";
import { site } from "../state/site.ts";
import { EmailField, NewPasswordField, PasswordField } from "../ui/account-fields.tsx";
import { Field, SubmitButton } from "../ui/field.tsx";
import { SignProblem } from "../ui/sign-problem.tsx";
import { useFieldFocus } from "../ui/use-field-focus.ts";
import { type ReadField, useWork } from "../ui/use-work.ts";
import { listProviders, ProviderButtons } from "./provider-buttons.tsx";

/** Sign-in with an email address, or with another service if one is configured. */
export function SignInPage() {
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  // The API redirects a sign-in with another service to this step.
  const [needsCode, setNeedsCode] = useState(pageLocation.value.query.get("step") === "code");
  const { isBusy, error, start } = useSignIn(async () => {
    const result = await auth.signIn({ email, password });
    if (result !== "code") return result;
    setNeedsCode(true);
    return null;
  });
  useLeaving();
  if (needsCode) return <CodeStep onBack={() => setNeedsCode(false)} />;
  return (
    <div class="narrow">
      <h1 tabIndex={-1}>{t("web.sign.inTitle")}</h1>
      <p class="lead">{t("web.sign.inLead")}</p>
      <Providers />
      <form onSubmit={start}>
        <EmailField value={email} onText={setEmail} />
        <PasswordField value={password} onText={setPassword} />
        <SignProblem error={error ?? readReturn()} />
        <SubmitButton isBusy={isBusy}>{t("web.sign.in")}</SubmitButton>
      </form>
      <p class="wrap beside">
        <a href={toHref(`/sign-up${location.search}`)}>{t("web.sign.toUp")}</a>
        <a href={toHref("/reset")}>{t("web.sign.forgot")}</a>
      </p>
    </div>
  );
}

/** The second step of the sign-in to an account with a second factor. */
function CodeStep({ onBack }: { onBack: () => void }) {
  const [isRecovery, setRecovery] = useState(false);
  const { isBusy, error, start } = useSignIn((read) =>
    isRecovery ? auth.verifyRecoveryCode(read("code")) : auth.verifyCode(read("code")),
  );
  const form = useFieldFocus(error, isRecovery);
  return (
    <div class="narrow">
      <h1 tabIndex={-1}>{t("web.twoFactor.title")}</h1>
      <p class="lead">{t(isRecovery ? "web.twoFactor.recoveryLead" : "web.twoFactor.codeLead")}</p>
      <form ref={form} onSubmit={start}>
        <Field
          key={String(isRecovery)}
          name="code"
          label={t(isRecovery ? "web.twoFactor.recoveryCode" : "web.twoFactor.code")}
          autocomplete={isRecovery ? "off" : "one-time-code"}
        />
        <SignProblem error={error} />
        <SubmitButton isBusy={isBusy}>{t("web.sign.in")}</SubmitButton>
      </form>
      <p class="wrap actions">
        <button type="button" class="button" onClick={() => setRecovery(!isRecovery)}>
          {t(isRecovery ? "web.twoFactor.useCode" : "web.twoFactor.useRecovery")}
        </button>
        <button type="button" class="button" onClick={onBack}>
          {t("web.twoFactor.back")}
        </button>
      </p>
    </div>
  );
}

/** Sign-up. */
export function SignUpPage() {
  const [sentTo, setSentTo] = useState<string>();
  const { isBusy, error, start } = useSignIn(async (read) => {
    const email = read("email");
    const created = await auth.signUp({ name: read("name").trim(), email, password: read("newPassword") });
    if (created === null) setSentTo(email);
    return created;
  });
  const hasBadName = error instanceof AuthProblem && error.code === "INVALID_NAME";
  useLeaving();
  const allowsForm = site.value?.signIn.allowsSignUpByMail !== false;
  if (sentTo !== undefined) {
    return (
      <div class="narrow" role="status">
        <h1 tabIndex={-1}>{t("web.sign.checkMail.title")}</h1>
        <p>{t("web.sign.checkMail.text", { email: sentTo })}</p>
      </div>
    );
  }
  return (
    <div class="narrow">
      <h1 tabIndex={-1}>{t("web.sign.upTitle")}</h1>
      <p class="lead">
        {site.value
          ? t("web.sign.upLead", { count: site.value.limits.freeCreditsPerDay })
          : t("web.quota.benefitOther")}
      </p>
      <Providers isFollowed={allowsForm} />
      {allowsForm && (
        <form onSubmit={start}>
          <Field
            name="name"
            label={t("web.sign.name")}
            autocomplete="name"
            hint={t("web.sign.nameHint")}
            maxLength={100}
            problem={hasBadName ? t("web.sign.nameProblem") : undefined}
          />
          <EmailField />
          <NewPasswordField label={t("web.sign.password")} />
          <SignProblem error={hasBadName ? undefined : error} />
          <SubmitButton isBusy={isBusy}>{t("web.sign.up")}</SubmitButton>
        </form>
      )}
      <p class="wrap beside">
        <a href={toHref(`/sign-in${location.search}`)}>{t("web.sign.toIn")}</a>
      </p>
    </div>
  );
}

function Providers({ isFollowed = true }: { isFollowed?: boolean }) {
  return (
    <>
      <ProviderButtons returnPath={findNext()} className="button wide" />
      {listProviders().length > 0 && isFollowed && (
        <p class="or">
          <span>{t("web.sign.or")}</span>
        </p>
      )}
    </>
  );
}

/** Sends a form that signs a user in, and opens the next page; null: the sign-in is not complete. */
function useSignIn(work: (read: ReadField) => Promise<SignedIn | null>) {
  return useWork(async (read) => {
    const user = await work(read);
    if (user === null) return;
    // The response of the sign-in lacks `isAdmin`; the session has it.
    session.value = (await auth.getSession()) ?? user;
    notify(t("web.sign.welcome", { name: user.name }));
    void loadQuota();
    navigate(findNext(), { isReplacing: true });
  });
}

/** Redirects a signed-in user. */
function useLeaving() {
  const isSignedIn = session.value !== null && session.value !== undefined;
  useEffect(() => {
    if (isSignedIn && /^\/sign-(?:in|up)$/.test(pageLocation.value.path))
      navigate(findNext(), { isReplacing: true });
  }, [isSignedIn]);
}

/** The path to open after the sign-in; only paths of this page are accepted. */
function findNext(): string {
  const next = pageLocation.value.query.get("next") ?? "";
  return /^\/(?![/\\])/.test(next) ? next : "/";
}

/** The error with which another service returned. */
function readReturn(): AuthProblem | undefined {
  const code = pageLocation.value.query.get("error");
  return code === null ? undefined : new AuthProblem(code.toUpperCase(), 400, undefined);
}
