import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";
import { createClient } from "@koma/client";
import { inject } from "vitest";

/** A user with an account at the API, in a browser. */
export type Account = ReturnType<typeof createClient>;

/** The API of this run at an address of its own, which a test can make unreachable. */
export type TestApi = Awaited<ReturnType<typeof openApi>>;

export async function openApi() {
  const { url: target, dayEndsAtMs, ...api } = inject("botApi");
  const gate = await openGate(target);
  return {
    ...api,
    url: gate.url,
    /** The time at which today's searches are renewed. */
    dayEndsAt: new Date(dayEndsAtMs),
    /** Makes it unreachable at `url`. */
    stop: gate.close,
    /** Makes it reachable again. */
    start: gate.open,
    /** Creates a user with a session. */
    async signUp(): Promise<Account> {
      const response = await fetch(`${target}/api/auth/sign-up/email`, {
        method: "POST",
        headers: { "content-type": "application/json", origin: target },
        body: JSON.stringify({
          name: "Rin",
          email: `${randomUUID()}@site.example`,
          password: randomUUID(),
        }),
      });
      if (!response.ok) throw new Error(`sign-up answered ${response.status}: ${await response.text()}`);
      const cookies = response.headers.getSetCookie().map((set) => set.split(";", 1)[0]);
      return createClient({ baseUrl: target, cookie: cookies.join("; "), origin: target });
    },
    /** The searches that the bot's guest, such as `discord:1`, is charged for today. */
    async countGuestSearches(guest: `discord:${string}` | `telegram:${string}`): Promise<number> {
      const bot = createClient({ baseUrl: target, apiKey: api.botKey });
      const { limit, remaining } = await bot.getQuota({}, { headers: { "x-koma-chat-user": guest } });
      return limit - remaining;
    },
  };
}

/** A port that forwards connections while it is open. */
async function openGate(target: string) {
  const { hostname, port: targetPort } = new URL(target);
  const sockets = new Set<Socket>();
  let server: Server | undefined;
  let port = 0;
  const gate = {
    url: "",
    async open(): Promise<void> {
      const opened = createServer((client) => {
        const forwarded = connect(Number(targetPort), hostname);
        for (const [from, to] of [
          [client, forwarded],
          [forwarded, client],
        ] as const) {
          sockets.add(from);
          from.pipe(to);
          from.on("error", () => to.destroy());
          from.once("close", () => {
            sockets.delete(from);
            to.destroy();
          });
        }
      });
      await once(opened.listen(port, "127.0.0.1"), "listening");
      const address = opened.address();
      port = typeof address === "object" && address !== null ? address.port : 0;
      gate.url = `http://127.0.0.1:${port}`;
      server = opened;
    },
    async close(): Promise<void> {
      for (const socket of sockets) socket.destroy();
      server?.close();
      server = undefined;
    },
  };
  await gate.open();
  return gate;
}
