import { t } from "../state/language.ts";
import { Field } from "./field.tsx";

type Props = { value: string; onText: (text: string) => void; label?: string };

/** The address of an account. */
export function EmailField(props: Props) {
  return <Field label={t("web.sign.email")} type="email" autocomplete="email" {...props} />;
}

/** The present password of an account. */
export function PasswordField(props: Props) {
  return <Field label={t("web.sign.password")} type="password" autocomplete="current-password" {...props} />;
}

/** A password that is chosen now. */
export function NewPasswordField(props: Props) {
  return (
    <Field
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
