import { t } from "../state/language.ts";
import { Field } from "./field.tsx";

type Props = { value?: string; onText?: (text: string) => void; label?: string };

/** The field `email`: the address of an account. */
export function EmailField(props: Props) {
  return <Field name="email" label={t("web.sign.email")} type="email" autocomplete="email" {...props} />;
}

/** The field `password`: the present password of an account. */
export function PasswordField(props: Props) {
  const label = t("web.sign.password");
  return <Field name="password" label={label} type="password" autocomplete="current-password" {...props} />;
}

/** The field `newPassword`: a password that is chosen now. */
export function NewPasswordField(props: Props) {
  return (
    <Field
      name="newPassword"
      label={t("web.sign.newPassword")}
      type="password"
      autocomplete="new-password"
      hint={t("web.sign.passwordHint")}
      minLength={10}
      maxLength={128}
      {...props}
    />
  );
}

/** The field `code`: a code of the authenticator app or a recovery code. */
export function CodeField() {
  const label = `${t("web.twoFactor.code")} / ${t("web.twoFactor.recoveryCode")}`;
  return <Field name="code" label={label} autocomplete="one-time-code" />;
}
