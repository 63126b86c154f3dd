import { useState } from "preact/hooks";
import { encode } from "uqr";
import { auth, type TwoFactorSetup } from "../api/auth.ts";
import { notify } from "../state/announce.ts";
import { t } from "../state/language.ts";
import { loadSession, session } from "../state/session.ts";
import { CodeField, PasswordField } from "../ui/account-fields.tsx";
import { CopyField } from "../ui/copy-text.tsx";
import { Field, SubmitButton } from "../ui/field.tsx";
import { SignProblem } from "../ui/sign-problem.tsx";
import { useFieldFocus } from "../ui/use-field-focus.ts";
import { useWork } from "../ui/use-work.ts";

/** The second factor of the account: activation, recovery codes and deactivation. */
export function AccountTwoFactor({ onChanged }: { onChanged: () => void }) {
  const [setup, setSetup] = useState<TwoFactorSetup | undefined>(undefined);
  const [recoveryCodes, setRecoveryCodes] = useState<string[] | undefined>(undefined);
  const isEnabled = session.value?.isTwoFactorEnabled === true;
  const finish = async (text: string) => {
    await loadSession();
    setSetup(undefined);
    notify(text);
    onChanged();
  };
  return (
    <section class="card" aria-labelledby="two-factor">
      <h2 id="two-factor">{t("web.twoFactor.title")}</h2>
      <p>{t(isEnabled ? "web.twoFactor.on" : "web.twoFactor.off")}</p>
      {recoveryCodes && <RecoveryCodes codes={recoveryCodes} />}
      {isEnabled && (
        <>
          <PasswordStep
            label={t("web.twoFactor.newCodes")}
            needsCode
            work={async (password) => setRecoveryCodes(await auth.createRecoveryCodes(password))}
          />
          <PasswordStep
            label={t("web.twoFactor.disable")}
            needsCode
            work={async (password) => {
              await auth.disableTwoFactor(password);
              setRecoveryCodes(undefined);
              await finish(t("web.twoFactor.disabled"));
            }}
          />
        </>
      )}
      {!isEnabled && setup === undefined && (
        <PasswordStep
          label={t("web.twoFactor.enable")}
          work={async (password) => setSetup(await auth.beginTwoFactor(password))}
        />
      )}
      {!isEnabled && setup !== undefined && (
        <FirstCode
          setup={setup}
          onVerified={async () => {
            setRecoveryCodes(setup.recoveryCodes);
            await finish(t("web.twoFactor.enabled"));
          }}
        />
      )}
    </section>
  );
}

/** A button that opens a form for the password, and the code if it is needed, and does the work with it. */
function PasswordStep(props: {
  label: string;
  needsCode?: boolean;
  work: (password: string) => Promise<void>;
}) {
  const { label, needsCode = false, work } = props;
  const [isOpen, setOpen] = useState(false);
  const { isBusy, error, start } = useWork(async (read) => {
    if (needsCode) await auth.proveWithCode(read("code"));
    await work(read("password"));
    setOpen(false);
  });
  const form = useFieldFocus(error, isOpen);
  if (!isOpen) {
    return (
      <p>
        <button type="button" class="button" onClick={() => setOpen(true)}>
          {label}
        </button>
      </p>
    );
  }
  return (
    <form ref={form} onSubmit={start}>
      <PasswordField />
      {needsCode && <CodeField />}
      <SignProblem error={error} />
      <p class="wrap actions">
        <SubmitButton isBusy={isBusy}>{label}</SubmitButton>
        <button type="button" class="button" onClick={() => setOpen(false)}>
          {t("web.common.cancel")}
        </button>
      </p>
    </form>
  );
}

/** The secret for the authenticator app as QR code and text, and the form for the first code. */
function FirstCode({ setup, onVerified }: { setup: TwoFactorSetup; onVerified: () => Promise<void> }) {
  const { isBusy, error, start } = useWork(async (read) => {
    await auth.verifyCode(read("code"));
    await onVerified();
  });
  const form = useFieldFocus(error);
  return (
    <form ref={form} onSubmit={start}>
      <p>{t("web.twoFactor.scan")}</p>
      <QrCode text={setup.uri} />
      <CopyField
        label={t("web.twoFactor.secret")}
        text={new URL(setup.uri).searchParams.get("secret") ?? ""}
        copyLabel={t("web.twoFactor.copySecret")}
      />
      <Field name="code" label={t("web.twoFactor.code")} autocomplete="one-time-code" />
      <SignProblem error={error} />
      <SubmitButton isBusy={isBusy}>{t("web.twoFactor.verify")}</SubmitButton>
    </form>
  );
}

function QrCode({ text }: { text: string }) {
  const { data, size } = encode(text, { border: 2 });
  const path = data
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : "")))
    .join("");
  return (
    <svg class="qr-code" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={t("web.twoFactor.qrCode")}>
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" shape-rendering="crispEdges" />
    </svg>
  );
}

/** The recovery codes, which are shown once. */
function RecoveryCodes({ codes }: { codes: readonly string[] }) {
  const text = codes.join("\n");
  return (
    <>
      <p class="note" role="status">
        {t("web.twoFactor.codesText")}
      </p>
      <CopyField label={t("web.twoFactor.codes")} text={text} copyLabel={t("web.twoFactor.copyCodes")} />
      <p>
        <a
          class="button"
          download="koma-recovery-codes.txt"
          href={`data:text/plain,${encodeURIComponent(`${text}\n`)}`}
        >
          {t("web.twoFactor.download")}
        </a>
      </p>
    </>
  );
}
