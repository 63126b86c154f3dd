import { describeFailure } from "../describe-failure.ts";
import { translator } from "../scene-texts.ts";
import { text } from "../texts.ts";
import type { Connection } from "./check-connection.ts";

/** The result of a test of the connection. */
export function ConnectionView({ connection }: { connection: Connection }) {
  if (!("failure" in connection)) {
    const frames = translator.formatNumber(connection.frameCount);
    const searches = translator.formatNumber(connection.searchesLeft);
    return (
      <>
        <p class="good">{text("connected", frames)}</p>
        <p>{text(connection.hasAccount ? "accountSearches" : "guestSearches", searches)}</p>
      </>
    );
  }
  const { title, advice } = describeFailure(connection.failure);
  return (
    <>
      <p class="bad">{title}</p>
      <p>{advice}</p>
    </>
  );
}
