import type { FastifyReply, FastifyRequest } from "fastify";
import type { FakeState } from "../state/fake-state.ts";
import type { FaultPlan } from "./faults.ts";

/** Serves a file at the address of getFile: `/file/bot<token>/<path>`. */
export function serveFile(state: FakeState, plan: FaultPlan, request: FastifyRequest, reply: FastifyReply) {
  const path = decodeURIComponent(new URL(request.url, "http://fake").pathname);
  const effect = plan.meetDownload();
  const prefix = `/file/bot${state.settings.token}/`;
  const file = path.startsWith(prefix)
    ? [...state.files.values()].find((one) => one.path === path.slice(prefix.length))
    : undefined;
  if (effect && !effect.isDropped) return refuse(reply, effect.status);
  if (!file || file.expiresAt < Date.now()) return refuse(reply, 404);
  reply.type("application/octet-stream");
  if (!effect) return reply.send(Buffer.from(file.bytes));
  reply.hijack();
  reply.raw.writeHead(200, { "content-length": file.bytes.length });
  reply.raw.write(file.bytes.slice(0, Math.floor(file.bytes.length / 2)), () => request.raw.socket.destroy());
  return reply;
}

/** Serves a file of the web, outside of Telegram. */
export function serveWebFile(state: FakeState, request: FastifyRequest, reply: FastifyReply) {
  const [, , id = ""] = new URL(request.url, "http://fake").pathname.split("/");
  const file = state.webFiles.get(id);
  return file
    ? reply.type(file.contentType).send(Buffer.from(file.bytes))
    : reply.code(404).send("not found");
}

function refuse(reply: FastifyReply, status: number) {
  const description = status === 404 ? "Not Found" : "Internal Server Error";
  return reply.code(status).send({ ok: false, error_code: status, description });
}
