import { ApiProblem } from "@koma/client";
import type { LinkRequest } from "@koma/contract";
import { useEffect, useState } from "preact/hooks";
import { koma } from "../api/koma.ts";
import { navigate, pageLocation, setQuery } from "../routing/router.ts";
import { announce } from "../state/announce.ts";
import { siteText } from "../state/site-texts.ts";
import { ErrorPanel } from "../ui/error-panel.tsx";
import { Facts } from "../ui/facts.tsx";
import { Field, SubmitButton } from "../ui/field.tsx";
import { Icon } from "../ui/icons.tsx";
import { MembersOnly } from "../ui/members-only.tsx";
import { useMountFocus } from "../ui/use-mount-focus.ts";

type Step =
  | { state: "entering"; problem?: unknown }
  | { state: "deciding"; link: LinkRequest; problem?: unknown; isBusy?: boolean }
  | { state: "approved" | "refused" };

/**
 * Device authorization (RFC 8628): the user enters the code of a bot, reviews the request, and approves or
 * rejects it.
 */
export function DevicePage() {
  return <MembersOnly title={siteText("site.device.title")}>{() => <Device />}</MembersOnly>;
}

function Device() {
  const initialCode = pageLocation.value.query.get("code") ?? "";
  const [code, setCode] = useState(initialCode);
  const [isBusy, setBusy] = useState(false);
  const [step, setStep] = useState<Step>({ state: "entering" });

  const findLink = async (userCode: string) => {
    if (isBusy) return;
    setBusy(true);
    try {
      const link = await koma.getLink({ userCode: userCode.trim() });
      setStep({ state: "deciding", link });
      announce(siteText("site.device.asks", { name: link.displayName }));
    } catch (problem) {
      setStep({ state: "entering", problem });
    } finally {
      setBusy(false);
    }
  };
  useEffect(() => {
    if (initialCode !== "") void findLink(initialCode);
  }, [initialCode]);

  const decide = async (isApproved: boolean) => {
    if (step.state !== "deciding" || step.isBusy) return;
    setStep({ ...step, isBusy: true });
    const { userCode } = step.link;
    try {
      if (isApproved) await koma.approveLink({ userCode });
      else await koma.denyLink({ userCode });
      // A reload must not submit a used code again.
      setQuery({});
      setStep({ state: isApproved ? "approved" : "refused" });
    } catch (problem) {
      setStep({ ...step, isBusy: false, problem });
    }
  };

  if (step.state === "entering") {
    return (
      <form
        class="device"
        onSubmit={(event) => {
          event.preventDefault();
          void findLink(code);
        }}
      >
        <p class="lead">{siteText("site.device.lead")}</p>
        <Field
          class="code-field"
          label={siteText("site.device.code")}
          hint={siteText("site.device.codeHint")}
          autocomplete="one-time-code"
          maxLength={9}
          value={code}
          onText={(text) => setCode(toCode(text))}
          problem={isUnknown(step.problem) ? siteText("site.device.unknown") : undefined}
        />
        <SubmitButton isBusy={isBusy}>{siteText("site.device.look")}</SubmitButton>
        {step.problem !== undefined && !isUnknown(step.problem) && <ErrorPanel error={step.problem} />}
      </form>
    );
  }
  if (step.state === "deciding") return <Question {...step} onDecide={(isYes) => void decide(isYes)} />;
  return (
    <div class="device" role="status">
      <Outcome state={step.state} />
      <p>{siteText(`site.device.${step.state}.text`)}</p>
      <button
        type="button"
        class="button"
        onClick={() => {
          setCode("");
          setStep({ state: "entering" });
          navigate("/device", { isReplacing: true });
        }}
      >
        {siteText("site.device.another")}
      </button>
    </div>
  );
}

/** The heading of the answer, which takes the focus of the button. */
function Outcome({ state }: { state: "approved" | "refused" }) {
  return (
    <h2 class="outcome" ref={useMountFocus<HTMLHeadingElement>()} tabIndex={-1}>
      <Icon name={state === "approved" ? "check" : "cross"} />
      {siteText(`site.device.${state}.title`)}
    </h2>
  );
}

function Question(props: {
  link: LinkRequest;
  isBusy?: boolean;
  problem?: unknown;
  onDecide: (isApproved: boolean) => void;
}) {
  const { link, isBusy = false, problem, onDecide } = props;
  const facts: [string, string][] = [
    [siteText("site.device.platform"), platforms[link.platform]],
    [siteText("site.device.nameThere"), link.displayName],
    [siteText("site.device.chat"), link.chatUser],
    [siteText("site.device.bot"), link.botName],
    [siteText("site.device.codeNow"), link.userCode],
    [siteText("site.device.keyTitle"), link.keyTitle],
  ];
  return (
    <section class="device card" aria-labelledby="asks">
      <h2 id="asks" ref={useMountFocus<HTMLHeadingElement>()} tabIndex={-1}>
        {siteText("site.device.asks", { name: link.displayName })}
      </h2>
      <Facts facts={facts} />
      <p>{siteText("site.device.scope")}</p>
      <p class="note">{siteText("site.device.warning")}</p>
      {problem !== undefined && <ErrorPanel error={problem} />}
      <p class="wrap actions">
        <button type="button" class="button main" aria-disabled={isBusy} onClick={() => onDecide(true)}>
          {siteText("site.device.approve")}
        </button>
        <button type="button" class="button" aria-disabled={isBusy} onClick={() => onDecide(false)}>
          {siteText("site.device.refuse")}
        </button>
      </p>
    </section>
  );
}

const platforms: Record<LinkRequest["platform"], string> = { discord: "Discord", telegram: "Telegram" };

/** The code in the form that the bot shows. */
function toCode(text: string): string {
  const letters = text
    .toUpperCase()
    .replace(/[^A-Z]/g, "")
    .slice(0, 8);
  return letters.length > 4 ? `${letters.slice(0, 4)}-${letters.slice(4)}` : letters;
}

function isUnknown(problem: unknown): boolean {
  return (
    problem instanceof ApiProblem && (problem.code === "not_found" || problem.code === "invalid_request")
  );
}
