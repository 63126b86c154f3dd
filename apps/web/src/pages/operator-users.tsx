import type { OperatorUser } from "@koma/contract";
import { useState } from "preact/hooks";
import { koma } from "../api/koma.ts";
import { tell } from "../state/announce.ts";
import { say, words } from "../state/language.ts";
import { Dialog } from "../ui/dialog.tsx";
import { Field, SubmitButton } from "../ui/field.tsx";
import { Pager } from "../ui/pager.tsx";
import { ProblemFace } from "../ui/problem-face.tsx";
import { useAnswer } from "../ui/use-answer.ts";
import { useWork } from "../ui/use-work.ts";

const pageSize = 50;

/** The users, and credits for them. */
export function OperatorUsers() {
  const [page, setPage] = useState(1);
  const [written, setWritten] = useState("");
  const [query, setQuery] = useState("");
  const [wanted, setWanted] = useState<OperatorUser | undefined>(undefined);
  const { value, error, isLoading, again } = useAnswer(
    (signal) => koma.listOperatorUsers({ page, pageSize, query }, { signal }),
    [page, query],
  );
  return (
    <>
      <form
        class="one-line"
        onSubmit={(event) => {
          event.preventDefault();
          setPage(1);
          setQuery(written.trim());
        }}
      >
        <Field
          label={say("web.operator.find")}
          type="search"
          autocomplete="off"
          isOptional
          maxLength={200}
          value={written}
          onText={setWritten}
        />
        <button type="submit" class="button">
          {say("web.operator.findGo")}
        </button>
      </form>
      {error !== undefined && <ProblemFace error={error} retry={again} />}
      {value?.total === 0 && <p class="empty">{say("web.operator.noUsers")}</p>}
      <ul class="rows" aria-busy={isLoading}>
        {value?.items.map((user) => (
          <li key={user.id}>
            <div>
              <strong>{user.name}</strong> {user.email}
              <small>
                {[
                  `${say("web.operator.since")} ${words().formatDate(new Date(user.createdAt))}`,
                  `${say("web.operator.credits")} ${words().formatNumber(user.purchasedCredits)}`,
                  ...sayMarks(user),
                ].join(" · ")}
              </small>
            </div>
            {!user.isBot && (
              <button
                type="button"
                class="button small"
                aria-label={say("web.operator.grantLabel", { name: user.name })}
                onClick={() => setWanted(user)}
              >
                {say("web.operator.grant")}
              </button>
            )}
          </li>
        ))}
      </ul>
      {value && <Pager page={page} pageSize={pageSize} total={value.total} onPage={setPage} />}
      {wanted && (
        <Grant
          user={wanted}
          onClose={() => setWanted(undefined)}
          onDone={() => {
            setWanted(undefined);
            again();
          }}
        />
      )}
    </>
  );
}

function Grant(props: { user: OperatorUser; onClose: () => void; onDone: () => void }) {
  const { user, onClose, onDone } = props;
  const { name, id } = user;
  const [amount, setAmount] = useState("50");
  const [reason, setReason] = useState("");
  // One for this dialog, so that sending it twice books once.
  const [reference] = useState(inventReference);
  const { isBusy, error, start } = useWork(async () => {
    const { purchasedCredits } = await koma.grantCredits({ id, amount: Number(amount), reason, reference });
    tell(say("web.operator.granted", { name, count: purchasedCredits }));
    onDone();
  });
  return (
    <Dialog title={say("web.operator.grantTitle", { name })} onClose={onClose}>
      <form onSubmit={start}>
        <Field
          label={say("web.operator.amount")}
          type="number"
          min={1}
          max={1_000_000}
          value={amount}
          onText={setAmount}
        />
        <Field
          label={say("web.operator.reason")}
          autocomplete="off"
          maxLength={200}
          value={reason}
          onText={setReason}
        />
        {error !== undefined && <ProblemFace error={error} />}
        <p class="actions">
          <SubmitButton isBusy={isBusy}>{say("web.operator.grant")}</SubmitButton>
          <button type="button" class="button" onClick={onClose}>
            {say("web.common.cancel")}
          </button>
        </p>
      </form>
    </Dialog>
  );
}

function sayMarks(user: OperatorUser): string[] {
  return [
    user.isAdmin ? say("web.operator.isAdmin") : "",
    user.isBot ? say("web.operator.isBot") : "",
    user.isDisabled ? say("web.operator.isDisabled") : "",
    user.isEmailVerified ? "" : say("web.operator.isUnverified"),
  ].filter((mark) => mark !== "");
}

function inventReference(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");
}
