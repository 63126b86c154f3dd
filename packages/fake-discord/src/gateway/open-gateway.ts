import type { Server } from "node:http";
import { asNumber, asObject, asText, type Json } from "@koma/fake-chat";
import { GatewayIntentBits } from "discord.js";
import { type WebSocket, WebSocketServer } from "ws";
import { describeGuild, describeUser } from "../describe/describe-user.ts";
import type { FakeState } from "../state/fake-state.ts";
import type { Shard } from "../types.ts";
import type { Session, Sessions } from "./sessions.ts";

/** Close codes after which Discord rejects a resume. */
const endingCodes = new Set([1000, 1001, 4004, 4007, 4009, 4010, 4011, 4012, 4013, 4014]);

/** The WebSocket server: hello, heartbeat, identify, resume, and its faults. */
export function openGateway(state: FakeState, server: Server, sessions: Sessions) {
  const sockets = new WebSocketServer({ noServer: true });
  const counts = { identify: 0, resume: 0, tooEarly: 0 };
  let latestIdentifyMs = Number.NEGATIVE_INFINITY;
  let isOffline = false;

  server.on("upgrade", (request, socket, head) => {
    if (isOffline || !request.url?.startsWith("/gateway")) {
      socket.destroy();
      return;
    }
    sockets.handleUpgrade(request, socket, head, (client) => welcome(client));
  });

  const welcome = (socket: WebSocket) => {
    let session: Session | undefined;
    const reply = (op: number, d: unknown) => socket.send(JSON.stringify({ op, d, s: null, t: null }));
    const leave = () => {
      if (session?.socket === socket) session.socket = undefined;
    };
    socket.on("error", leave);
    socket.on("close", (code) => {
      if (session && (code === 1000 || code === 1001)) sessions.sessions.delete(session.id);
      leave();
      state.announce();
    });
    socket.on("message", (raw) => {
      const packet = asObject(JSON.parse(String(raw)));
      const data = asObject(packet?.d) ?? {};
      switch (packet?.op) {
        case 1:
          reply(11, null);
          break;
        case 2:
          session = identify(socket, data);
          break;
        case 6:
          session = resume(socket, data);
          if (session === undefined) reply(9, false);
          break;
      }
      state.announce();
    });
    reply(10, { heartbeat_interval: state.settings.heartbeatMs });
  };

  const identify = (socket: WebSocket, data: Json): Session | undefined => {
    const intents = asNumber(data.intents) ?? 0;
    const wantsContent = (intents & GatewayIntentBits.MessageContent) !== 0;
    if (data.token !== state.settings.token) return end(socket, 4004, "Authentication failed.");
    if (wantsContent && !state.settings.hasMessageContent) return end(socket, 4014, "Disallowed intent(s).");
    const shard = readShard(data.shard);
    if (shard === undefined) return end(socket, 4010, "Invalid shard.");
    const guilds = sessions.guildsOf(shard);
    if (guilds.length > state.settings.guildsPerShard) return end(socket, 4011, "Sharding required.");
    // Discord accepts one identify per interval of all shards with the same remainder by `max_concurrency`, here 1.
    if (performance.now() - latestIdentifyMs < state.settings.identifyIntervalMs) {
      counts.tooEarly += 1;
      socket.send(JSON.stringify({ op: 9, d: false, s: null, t: null }));
      return undefined;
    }
    latestIdentifyMs = performance.now();
    const session: Session = { id: state.createId(), intents, shard, events: [], socket };
    counts.identify += 1;
    sessions.sessions.set(session.id, session);
    sessions.send(session, "READY", {
      v: 10,
      user: { ...describeUser(state.bot), mfa_enabled: true, verified: true },
      guilds: guilds.map(({ id }) => ({ id, unavailable: true })),
      session_id: session.id,
      resume_gateway_url: `${state.origin.replace("http", "ws")}/gateway`,
      shard,
      application: { id: state.bot.id, flags: state.settings.hasMessageContent ? 1 << 19 : 0 },
    });
    if ((intents & GatewayIntentBits.Guilds) !== 0)
      for (const guild of guilds) sessions.send(session, "GUILD_CREATE", describeGuild(state, guild));
    return session;
  };

  const resume = (socket: WebSocket, data: Json): Session | undefined => {
    const session = sessions.sessions.get(asText(data.session_id) ?? "");
    if (session === undefined || data.token !== state.settings.token) return undefined;
    session.socket?.terminate();
    session.socket = socket;
    const seen = asNumber(data.seq) ?? 0;
    for (const event of session.events) {
      if (event.s > seen) socket.send(JSON.stringify({ op: 0, ...event }));
    }
    sessions.send(session, "RESUMED", {});
    counts.resume += 1;
    return session;
  };

  const connected = () => [...sessions.sessions.values()].filter((session) => session.socket !== undefined);
  /** Closes every connection (1006: without a close frame); sessions stay resumable where Discord says so. */
  const drop = (code = 1006) => {
    for (const session of connected()) {
      if (code === 1006) session.socket?.terminate();
      else session.socket?.close(code);
      session.socket = undefined;
      if (endingCodes.has(code)) sessions.sessions.delete(session.id);
    }
  };

  const gateway = {
    /** The shards of the identified sessions, as `0/2`. */
    get shards() {
      return connected()
        .map(({ shard }) => shard.join("/"))
        .sort();
    },
    /** The number of identifies that came too early; see `identifyIntervalMs`. */
    get tooEarlyCount() {
      return counts.tooEarly;
    },
    get identifyCount() {
      return counts.identify;
    },
    get resumeCount() {
      return counts.resume;
    },
    drop,
    /** Rejects new connections until `restore()`; events wait for a resume. */
    goOffline() {
      isOffline = true;
      drop();
    },
    restore() {
      isOffline = false;
    },
    /** Waits for the next resume. */
    async resumed() {
      const count = counts.resume + 1;
      await state.waitUntil(() => counts.resume >= count, `resume number ${count}`);
    },
  };

  return {
    gateway,
    close() {
      for (const client of sockets.clients) client.terminate();
      sockets.close();
    },
  };
}

function end(socket: WebSocket, code: number, reason: string): undefined {
  socket.close(code, reason);
  return undefined;
}

/** The shard that a client identifies; undefined if it is invalid. */
function readShard(written: unknown): Shard | undefined {
  if (written === undefined) return [0, 1];
  const [index, count] = Array.isArray(written) ? written : [];
  const isValid = Number.isInteger(index) && Number.isInteger(count) && index >= 0 && index < count;
  return isValid ? [index, count] : undefined;
}
