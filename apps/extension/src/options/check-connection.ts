import { connect, isAllowed } from "../connect.ts";
import { type Failure, LocalError, toFailure } from "../failure.ts";
import type { Settings } from "../settings.ts";

/** The result of a connection test. */
export type Connection =
  | { frameCount: number; searchesLeft: number; hasAccount: boolean }
  | { failure: Failure };

/** Tests that the address is a Koma server and that it accepts the key. It consumes no search. */
export async function checkConnection(settings: Settings): Promise<Connection> {
  try {
    if (!(await isAllowed(settings.address))) throw new LocalError("noPermission");
    const koma = connect(settings);
    const { frameCount } = await koma.getSite({}, { deadlineMs: 10_000 });
    const quota = await koma.getQuota({}, { deadlineMs: 10_000 });
    return { frameCount, searchesLeft: quota.remaining, hasAccount: quota.kind === "credits" };
  } catch (error) {
    return { failure: toFailure(error) };
  }
}
