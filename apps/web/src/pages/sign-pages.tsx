import { useEffect, useState } from "preact/hooks";
import { AuthProblem, auth, type SignedIn } from "../api/auth.ts";
import { navigate, place, toHref } from "../routing/router.ts";
import { tell } from "../state/announce.ts";
import { say } from "../state/language.ts";
import { loadQuota } from "../state/quota.ts";
import { session } from "../state/session.ts";
import { site } from "../state/site.ts";
import { Field, SubmitButton } from "../ui/field.tsx";
import { SignProblem } from "../ui/sign-problem.tsx";

/** Sign in with a mail address, or with Discord where that is configured. */
export function SignInPage() {
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const { isBusy, error, submit } = useSubmit(() => auth.signIn({ email, password }));
  useLeaving();
  return (
    <div class="narrow">
      <h1 tabIndex={-1}>{say("web.sign.inTitle")}</h1>
      <p class="lead">{say("web.sign.inLead")}</p>
      <Discord />
      <form onSubmit={submit}>
        <Field
          label={say("web.sign.email")}
          type="email"
          autocomplete="email"
          value={email}
          onText={setEmail}
        />
        <Field
          label={say("web.sign.password")}
          type="password"
          autocomplete="current-password"
          value={password}
          onText={setPassword}
        />
        <SignProblem error={error ?? readReturn()} />
        <SubmitButton isBusy={isBusy}>{say("web.sign.in")}</SubmitButton>
      </form>
      <p class="beside">
        <a href={toHref(`/sign-up${location.search}`)}>{say("web.sign.toUp")}</a>
        <a href={toHref("/reset")}>{say("web.sign.forgot")}</a>
      </p>
    </div>
  );
}

/** Make an account. */
export function SignUpPage() {
  const [name, setName] = useState("");
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const [isWaiting, setWaiting] = useState(false);
  const { isBusy, error, submit } = useSubmit(async () => {
    const made = await auth.signUp({ name: name.trim(), email, password });
    if (made === null) setWaiting(true);
    return made;
  });
  useLeaving();
  if (isWaiting) {
    return (
      <div class="narrow" role="status">
        <h1 tabIndex={-1}>{say("web.sign.checkMail.title")}</h1>
        <p>{say("web.sign.checkMail.text", { email })}</p>
      </div>
    );
  }
  return (
    <div class="narrow">
      <h1 tabIndex={-1}>{say("web.sign.upTitle")}</h1>
      <p class="lead">{say("web.sign.upLead", { count: site.value?.limits.freeCreditsPerDay ?? 10 })}</p>
      <Discord />
      <form onSubmit={submit}>
        <Field
          label={say("web.sign.name")}
          autocomplete="name"
          hint={say("web.sign.nameHint")}
          maxLength={100}
          value={name}
          onText={setName}
        />
        <Field
          label={say("web.sign.email")}
          type="email"
          autocomplete="email"
          value={email}
          onText={setEmail}
        />
        <Field
          label={say("web.sign.password")}
          type="password"
          autocomplete="new-password"
          hint={say("web.sign.passwordHint")}
          minLength={8}
          maxLength={128}
          value={password}
          onText={setPassword}
        />
        <SignProblem error={error} />
        <SubmitButton isBusy={isBusy}>{say("web.sign.up")}</SubmitButton>
      </form>
      <p class="beside">
        <a href={toHref(`/sign-in${location.search}`)}>{say("web.sign.toIn")}</a>
      </p>
    </div>
  );
}

function Discord() {
  const [error, setError] = useState<unknown>(undefined);
  if (site.value?.signIn.hasDiscord !== true) return null;
  const go = async () => {
    try {
      location.assign(await auth.startDiscord(findNext()));
    } catch (problem) {
      setError(problem);
    }
  };
  return (
    <>
      <button type="button" class="button wide" onClick={() => void go()}>
        {say("web.sign.discord")}
      </button>
      <SignProblem error={error} />
      <p class="or">
        <span>{say("web.sign.or")}</span>
      </p>
    </>
  );
}

function useSubmit(work: () => Promise<SignedIn | null>) {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(undefined);
  const submit = async (event: Event) => {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    setError(undefined);
    try {
      const user = await work();
      if (user === null) return;
      // Of the answer only: whether somebody is an operator is told by the session.
      session.value = (await auth.getSession()) ?? user;
      tell(say("web.sign.welcome", { name: user.name }));
      void loadQuota();
      navigate(findNext(), { isReplacing: true });
    } catch (problem) {
      setError(problem);
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, error, submit: (event: Event) => void submit(event) };
}

/** Who is signed in already has nothing to do here. */
function useLeaving() {
  const isSignedIn = session.value !== null && session.value !== undefined;
  useEffect(() => {
    if (isSignedIn && /^\/sign-(?:in|up)$/.test(place.value.path))
      navigate(findNext(), { isReplacing: true });
  }, [isSignedIn]);
}

/** Where the person was going; only paths of the page itself. */
function findNext(): string {
  const next = place.value.query.get("next") ?? "";
  return /^\/(?![/\\])/.test(next) ? next : "/";
}

/** What Discord, or the way back from there, says went wrong. */
function readReturn(): AuthProblem | undefined {
  const code = place.value.query.get("error");
  return code === null ? undefined : new AuthProblem(code.toUpperCase(), 400, undefined);
}
