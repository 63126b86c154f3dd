import { ApiProblem } from "@koma/client";
import type { LinkRequest } from "@koma/contract";
import { useEffect, useState } from "preact/hooks";
import { koma } from "../api/koma.ts";
import { navigate, place, setQuery } from "../routing/router.ts";
import { announce } from "../state/announce.ts";
import { say } from "../state/language.ts";
import { Field, SubmitButton } from "../ui/field.tsx";
import { Icon } from "../ui/icons.tsx";
import { MembersOnly } from "../ui/members-only.tsx";
import { ProblemFace } from "../ui/problem-face.tsx";

type Step =
  | { state: "entering"; problem?: unknown }
  | { state: "deciding"; link: LinkRequest; problem?: unknown; isBusy?: boolean }
  | { state: "approved" | "refused" };

/** A bot asks to act for one's account: enter its code, see who asks, approve or refuse. */
export function DevicePage() {
  return <MembersOnly title={say("web.device.title")}>{() => <Device />}</MembersOnly>;
}

function Device() {
  const given = place.value.query.get("code") ?? "";
  const [code, setCode] = useState(given);
  const [isBusy, setBusy] = useState(false);
  const [step, setStep] = useState<Step>({ state: "entering" });

  const look = async (userCode: string) => {
    if (isBusy) return;
    setBusy(true);
    try {
      const link = await koma.getLink({ userCode: userCode.trim() });
      setStep({ state: "deciding", link });
      announce(say("web.device.asks", { name: link.displayName }));
    } catch (problem) {
      setStep({ state: "entering", problem });
    } finally {
      setBusy(false);
    }
  };
  useEffect(() => {
    if (given !== "") void look(given);
  }, [given]);

  const decide = async (isApproved: boolean) => {
    if (step.state !== "deciding" || step.isBusy) return;
    setStep({ ...step, isBusy: true });
    const { userCode } = step.link;
    try {
      if (isApproved) await koma.approveLink({ userCode });
      else await koma.denyLink({ userCode });
      // A reload should not ask for a code that has been answered.
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
          void look(code);
        }}
      >
        <p class="lead">{say("web.device.lead")}</p>
        <Field
          class="code-field"
          label={say("web.device.code")}
          hint={say("web.device.codeHint")}
          autocomplete="one-time-code"
          maxLength={9}
          value={code}
          onText={(text) => setCode(toCode(text))}
          problem={isUnknown(step.problem) ? say("web.device.unknown") : undefined}
        />
        <SubmitButton isBusy={isBusy}>{say("web.device.look")}</SubmitButton>
        {step.problem !== undefined && !isUnknown(step.problem) && <ProblemFace error={step.problem} />}
      </form>
    );
  }
  if (step.state === "deciding") return <Question {...step} onDecide={(isYes) => void decide(isYes)} />;
  return (
    <div class="device" role="status">
      <h2 class="outcome">
        <Icon name={step.state === "approved" ? "check" : "cross"} />
        {say(`web.device.${step.state}.title`)}
      </h2>
      <p>{say(`web.device.${step.state}.text`)}</p>
      <button
        type="button"
        class="button"
        onClick={() => {
          setCode("");
          setStep({ state: "entering" });
          navigate("/device", { isReplacing: true });
        }}
      >
        {say("web.device.another")}
      </button>
    </div>
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
    [say("web.device.platform"), platforms[link.platform]],
    [say("web.device.nameThere"), link.displayName],
    [say("web.device.chat"), link.chatUser],
    [say("web.device.bot"), link.botName],
    [say("web.device.codeNow"), link.userCode],
    [say("web.device.keyTitle"), link.keyTitle],
  ];
  return (
    <section class="device card" aria-labelledby="asks">
      <h2 id="asks">{say("web.device.asks", { name: link.displayName })}</h2>
      <dl class="facts">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <p>{say("web.device.scope")}</p>
      <p class="note">{say("web.device.warning")}</p>
      {problem !== undefined && <ProblemFace error={problem} />}
      <p class="actions">
        <button type="button" class="button main" aria-disabled={isBusy} onClick={() => onDecide(true)}>
          {say("web.device.approve")}
        </button>
        <button type="button" class="button" aria-disabled={isBusy} onClick={() => onDecide(false)}>
          {say("web.device.refuse")}
        </button>
      </p>
    </section>
  );
}

const platforms: Record<LinkRequest["platform"], string> = { discord: "Discord", telegram: "Telegram" };

/** As the bot shows it, however it is typed. */
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
