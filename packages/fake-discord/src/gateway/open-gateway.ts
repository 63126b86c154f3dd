import type { Server } from "node:http";
import { asNumber, asObject, asText, type Json } from "@koma/fake-chat";
import { GatewayIntentBits } from "discord.js";
import { type WebSocket, WebSocketServer } from "ws";
import { describeFullGuild } from "../describe/describe-guild.ts";
import { describeFullMember, describeSelf } from "../describe/describe-user.ts";
import type { FakeState } from "../state/fake-state.ts";
import type { Gateway } from "../types.ts";
import type { Session, Sessions } from "./sessions.ts";
import { createIdentifyLimit, isOverloaded, readShard } from "./shards.ts";

/** Close codes after which Discord rejects a resume. */
const endingCodes = new Set([1000, 1001, 4004, 4007, 4009, 4010, 4011, 4012, 4013, 4014]);

/** The WebSocket server: hello, heartbeat, identify, resume, and its faults. */
export function openGateway(state: FakeState, server: Server, sessions: Sessions) {
  const sockets = new WebSocketServer({ noServer: true });
  const counts = { identify: 0, resume: 0, tooEarly: 0 };
  const identifyLimit = createIdentifyLimit(state.settings.identifyIntervalMs);
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
        case 8:
          if (session) sendMembers(session, data);
          break;
        case 3:
          break;
        default:
          socket.close(4001, "Unknown opcode");
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
    if (isOverloaded(shard, state)) return end(socket, 4011, "Sharding required.");
    if (!identifyLimit.take()) {
      counts.tooEarly += 1;
      socket.send(JSON.stringify({ op: 9, d: false, s: null, t: null }));
      return undefined;
    }
    const session: Session = {
      id: state.createId(),
      intents,
      shard,
      sequence: 0,
      events: [],
      socket,
    };
    counts.identify += 1;
    sessions.sessions.set(session.id, session);
    const guilds = sessions.guildsOf(session);
    sessions.send(session, "READY", {
      v: 10,
      user: describeSelf(state),
      guilds: guilds.map(({ id }) => ({ id, unavailable: true })),
      session_id: session.id,
      resume_gateway_url: `${state.origin.replace("http", "ws")}/gateway`,
      shard: session.shard,
      application: { id: state.applicationId, flags: state.settings.hasMessageContent ? 1 << 19 : 0 },
    });
    if ((intents & GatewayIntentBits.Guilds) !== 0) {
      for (const guild of guilds) sessions.send(session, "GUILD_CREATE", describeFullGuild(state, guild));
    }
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

  const sendMembers = (session: Session, data: Json) => {
    const guild = state.guilds.get(asText(data.guild_id) ?? "");
    if (guild === undefined) return;
    const expected = new Set([data.user_ids].flat().map(String));
    const users = [...guild.members.keys()].flatMap((id) => state.users.get(id) ?? []);
    const members = users.filter(({ id }) => data.user_ids === undefined || expected.has(id));
    sessions.send(session, "GUILD_MEMBERS_CHUNK", {
      guild_id: guild.id,
      members: members.map((user) => describeFullMember(guild, user)),
      chunk_index: 0,
      chunk_count: 1,
      ...(data.nonce !== undefined && { nonce: data.nonce }),
    });
  };

  const connected = () => [...sessions.sessions.values()].filter((session) => session.socket !== undefined);
  const drop = (code = 1006) => {
    for (const session of connected()) {
      if (code === 1006) session.socket?.terminate();
      else session.socket?.close(code);
      session.socket = undefined;
      if (endingCodes.has(code)) sessions.sessions.delete(session.id);
    }
  };

  const gateway: Gateway = {
    async ready(count = 1) {
      const check = () => (connected().length >= count ? true : undefined);
      await state.waitFor(check, () => `${count} gateway session(s)`);
    },
    get sessionCount() {
      return connected().length;
    },
    get shards() {
      return connected()
        .map(({ shard }) => shard.join("/"))
        .sort();
    },
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
    goOffline() {
      isOffline = true;
      drop();
    },
    restore() {
      isOffline = false;
    },
    askToReconnect() {
      for (const session of connected()) session.socket?.send(JSON.stringify({ op: 7, d: null }));
    },
    invalidate(isResumable = false) {
      for (const session of connected()) {
        session.socket?.send(JSON.stringify({ op: 9, d: isResumable }));
        if (!isResumable) sessions.sessions.delete(session.id);
      }
    },
    async resumed(count = counts.resume + 1) {
      const check = () => (counts.resume >= count ? true : undefined);
      await state.waitFor(check, () => `resume number ${count}; there were ${counts.resume}`);
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
