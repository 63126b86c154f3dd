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
import { useWork } from "../ui/use-work.ts";
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
      <p class="beside">
        <a href={toHref(`/sign-up${location.search}`)}>{t("web.sign.toUp")}</a>
        <a href={toHref("/reset")}>{t("web.sign.forgot")}</a>
      </p>
    </div>
  );
}

/** The second step of the sign-in to an account with a second factor. */
function CodeStep({ onBack }: { onBack: () => void }) {
  const [code, setCode] = useState("");
  const [isRecovery, setRecovery] = useState(false);
  const { isBusy, error, start } = useSignIn(() =>
    isRecovery ? auth.verifyRecoveryCode(code) : auth.verifyCode(code),
  );
  const toggle = () => {
    setRecovery(!isRecovery);
    setCode("");
  };
  const form = useFieldFocus(error, isRecovery);
  return (
    <div class="narrow">
      <h1 tabIndex={-1}>{t("web.twoFactor.title")}</h1>
      <p class="lead">{t(isRecovery ? "web.twoFactor.recoveryLead" : "web.twoFactor.codeLead")}</p>
      <form ref={form} onSubmit={start}>
        <Field
          key={String(isRecovery)}
          label={t(isRecovery ? "web.twoFactor.recoveryCode" : "web.twoFactor.code")}
          autocomplete={isRecovery ? "off" : "one-time-code"}
          value={code}
          onText={setCode}
        />
        <SignProblem error={error} />
        <SubmitButton isBusy={isBusy}>{t("web.sign.in")}</SubmitButton>
      </form>
      <p class="actions">
        <button type="button" class="button" onClick={toggle}>
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
  const [name, setName] = useState("");
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const [isWaiting, setWaiting] = useState(false);
  const { isBusy, error, start } = useSignIn(async () => {
    const created = await auth.signUp({ name: name.trim(), email, password });
    if (created === null) setWaiting(true);
    return created;
  });
  const hasBadName = error instanceof AuthProblem && error.code === "INVALID_NAME";
  useLeaving();
  const allowsForm = site.value?.signIn.allowsSignUpByMail !== false;
  if (isWaiting) {
    return (
      <div class="narrow" role="status">
        <h1 tabIndex={-1}>{t("web.sign.checkMail.title")}</h1>
        <p>{t("web.sign.checkMail.text", { email })}</p>
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
            label={t("web.sign.name")}
            autocomplete="name"
            hint={t("web.sign.nameHint")}
            maxLength={100}
            problem={hasBadName ? t("web.sign.nameProblem") : undefined}
            value={name}
            onText={setName}
          />
          <EmailField value={email} onText={setEmail} />
          <NewPasswordField label={t("web.sign.password")} value={password} onText={setPassword} />
          <SignProblem error={hasBadName ? undefined : error} />
          <SubmitButton isBusy={isBusy}>{t("web.sign.up")}</SubmitButton>
        </form>
      )}
      <p class="beside">
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
function useSignIn(work: () => Promise<SignedIn | null>) {
  return useWork(async () => {
    const user = await work();
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
