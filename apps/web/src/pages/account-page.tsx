import { useEffect, useState } from "preact/hooks";
import { auth } from "../api/auth.ts";
import { koma } from "../api/koma.ts";
import { navigate, place, toHref } from "../routing/router.ts";
import { tell } from "../state/announce.ts";
import { say } from "../state/language.ts";
import { loadQuota } from "../state/quota.ts";
import { endSession, session } from "../state/session.ts";
import { Dialog } from "../ui/dialog.tsx";
import { Field, SubmitButton } from "../ui/field.tsx";
import { MembersOnly } from "../ui/members-only.tsx";
import { ProblemFace } from "../ui/problem-face.tsx";
import { SignProblem } from "../ui/sign-problem.tsx";
import { useAnswer } from "../ui/use-answer.ts";
import { useWork } from "../ui/use-work.ts";

/** Credits, more of them, the password, and the end of the account. */
export function AccountPage() {
  return (
    <MembersOnly title={say("web.account.title")}>
      {(user) => (
        <div class="account">
          <p class="lead">
            {say("web.account.hello", { name: user.name })} · {user.email}
          </p>
          <PurchaseNote />
          <Credits />
          <Products />
          <ul class="tiles">
            <li>
              <a href={toHref("/history")}>{say("web.nav.history")}</a>
            </li>
            <li>
              <a href={toHref("/keys")}>{say("web.nav.keys")}</a>
            </li>
            <li>
              <a href={toHref("/device")}>{say("web.nav.device")}</a>
            </li>
          </ul>
          <Security />
        </div>
      )}
    </MembersOnly>
  );
}

/** What Stripe sent the person back with. */
function PurchaseNote() {
  const purchase = place.value.query.get("purchase");
  if (purchase !== "done" && purchase !== "cancelled") return null;
  return (
    <p class="note" role="status">
      {say(purchase === "done" ? "web.account.purchaseDone" : "web.account.purchaseCancelled")}
    </p>
  );
}

function Credits() {
  const { value, error, again } = useAnswer((signal) => koma.getCredits({}, { signal }), []);
  if (error !== undefined) return <ProblemFace error={error} retry={again} />;
  if (value === undefined) return <p class="waiting">{say("web.common.loading")}</p>;
  const { free, purchased, hourly } = value;
  const resetsAt = new Date(free.resetsAt);
  return (
    <section class="card credits" aria-labelledby="credits">
      <h2 id="credits">{say("web.account.credits")}</h2>
      <p class="big-number">{value.remaining}</p>
      <dl>
        <div>
          <dt>{say("web.account.free")}</dt>
          <dd>
            {say("web.account.freeLeft", { remaining: free.remaining, limit: free.limit })}
            <Meter part={free.remaining} whole={free.limit} />
            <small>{say("web.account.freeResets", { at: resetsAt })}</small>
          </dd>
        </div>
        <div>
          <dt>{say("web.account.purchased")}</dt>
          <dd>
            {purchased.remaining}
            <small>{say("web.account.purchasedHint")}</small>
          </dd>
        </div>
        <div>
          <dt>{say("web.account.hourly")}</dt>
          <dd>
            {say("web.account.hourlyLeft", { remaining: hourly.remaining, limit: hourly.limit })}
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
  const { value } = useAnswer((signal) => koma.listProducts({}, { signal }), []);
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
      <h2 id="buy">{say("web.account.buyTitle")}</h2>
      <ul class="products">
        {value.items.map(({ productId, credits }) => (
          <li key={productId}>
            <button type="button" class="button" onClick={() => void buy(productId)}>
              {say("web.account.buy", { count: credits })}
            </button>
          </li>
        ))}
      </ul>
      <small>{say("web.account.buyHint")}</small>
      {error !== undefined && <ProblemFace error={error} />}
    </section>
  );
}

function Security() {
  const [hasPassword, setHasPassword] = useState<boolean | undefined>(undefined);
  useEffect(() => {
    auth.hasPassword().then(setHasPassword, () => setHasPassword(true));
  }, []);
  return (
    <>
      {hasPassword && <PasswordForm />}
      <DeleteAccount hasPassword={hasPassword ?? true} />
    </>
  );
}

function PasswordForm() {
  const [currentPassword, setCurrent] = useState("");
  const [newPassword, setNew] = useState("");
  const { isBusy, error, start } = useWork(async () => {
    await auth.changePassword({ currentPassword, newPassword });
    setCurrent("");
    setNew("");
    tell(say("web.account.passwordChanged"));
  });
  return (
    <section class="card" aria-labelledby="password">
      <h2 id="password">{say("web.account.password")}</h2>
      <form class="two" onSubmit={start}>
        <Field
          label={say("web.account.currentPassword")}
          type="password"
          autocomplete="current-password"
          value={currentPassword}
          onText={setCurrent}
        />
        <Field
          label={say("web.sign.newPassword")}
          type="password"
          autocomplete="new-password"
          minLength={8}
          maxLength={128}
          value={newPassword}
          onText={setNew}
        />
        <SignProblem error={error} />
        <SubmitButton isBusy={isBusy} look="">
          {say("web.account.changePassword")}
        </SubmitButton>
      </form>
    </section>
  );
}

function DeleteAccount({ hasPassword }: { hasPassword: boolean }) {
  const [isAsking, setAsking] = useState(false);
  const [password, setPassword] = useState("");
  const { isBusy, error, start } = useWork(async () => {
    await auth.deleteAccount(hasPassword ? password : undefined);
    await endSession();
    session.value = null;
    navigate("/", { isReplacing: true });
    tell(say("web.account.deleted"));
    void loadQuota();
  });
  return (
    <section class="card" aria-labelledby="delete">
      <h2 id="delete">{say("web.account.deleteTitle")}</h2>
      <p>{say("web.account.deleteText")}</p>
      <button type="button" class="button" onClick={() => setAsking(true)}>
        {say("web.account.delete")}
      </button>
      {isAsking && (
        <Dialog title={say("web.account.deleteTitle")} onClose={() => setAsking(false)}>
          <form onSubmit={start}>
            <p>{say("web.account.deleteText")}</p>
            {hasPassword ? (
              <Field
                label={say("web.sign.password")}
                type="password"
                autocomplete="current-password"
                value={password}
                onText={setPassword}
              />
            ) : (
              <p>{say("web.account.deleteDiscordHint")}</p>
            )}
            <SignProblem error={error} />
            <p class="actions">
              <SubmitButton isBusy={isBusy}>{say("web.account.deleteConfirm")}</SubmitButton>
              <button type="button" class="button" onClick={() => setAsking(false)}>
                {say("web.common.cancel")}
              </button>
            </p>
          </form>
        </Dialog>
      )}
    </section>
  );
}
