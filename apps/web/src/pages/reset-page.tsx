import { useState } from "preact/hooks";
import { auth } from "../api/auth.ts";
import { navigate, pageLocation } from "../routing/router.ts";
import { notify } from "../state/announce.ts";
import { site } from "../state/site.ts";
import { siteText } from "../state/site-texts.ts";
import { EmailField, NewPasswordField } from "../ui/account-fields.tsx";
import { SubmitButton } from "../ui/field.tsx";
import { SignProblem } from "../ui/sign-problem.tsx";
import { useWork } from "../ui/use-work.ts";

/** Requests a link to reset the password, or sets a new password with the token of the link. */
export function ResetPage() {
  const token = pageLocation.value.query.get("token");
  return <div class="narrow">{token === null ? <AskForLink /> : <ChoosePassword token={token} />}</div>;
}

function AskForLink() {
  const [sentTo, setSentTo] = useState<string>();
  const { isBusy, error, start } = useWork(async (read) => {
    await auth.askForReset(read("email"));
    setSentTo(read("email"));
  });
  const isBadLink = pageLocation.value.query.get("error") !== null;
  if (sentTo !== undefined) {
    // Without a mail server the API can only log the link, which it does on the operator's own machine.
    const isLogged = site.value?.signIn.verifiesAddresses === false;
    return (
      <div role="status">
        <h1 tabIndex={-1}>{siteText(isLogged ? "site.reset.loggedTitle" : "site.reset.sent.title")}</h1>
        <p>{siteText(isLogged ? "site.reset.logged" : "site.reset.sent.text", { email: sentTo })}</p>
      </div>
    );
  }
  return (
    <>
      <h1 tabIndex={-1}>{siteText("site.reset.title")}</h1>
      {isBadLink && (
        <p class="sign-problem" role="alert">
          {siteText("site.reset.badLink")}
        </p>
      )}
      {site.value?.signIn.sendsMail === false ? (
        <p>{siteText("site.reset.noMail")}</p>
      ) : (
        <form onSubmit={start}>
          <p class="lead">{siteText("site.reset.lead")}</p>
          <EmailField />
          <SignProblem error={error} />
          <SubmitButton isBusy={isBusy}>{siteText("site.reset.send")}</SubmitButton>
        </form>
      )}
    </>
  );
}

function ChoosePassword({ token }: { token: string }) {
  const { isBusy, error, start } = useWork(async (read) => {
    await auth.resetPassword({ newPassword: read("newPassword"), token });
    notify(siteText("site.reset.done"));
    navigate("/sign-in", { isReplacing: true });
  });
  return (
    <form onSubmit={start}>
      <h1 tabIndex={-1}>{siteText("site.reset.chooseTitle")}</h1>
      <NewPasswordField />
      <SignProblem error={error} />
      <SubmitButton isBusy={isBusy}>{siteText("site.reset.choose")}</SubmitButton>
    </form>
  );
}
