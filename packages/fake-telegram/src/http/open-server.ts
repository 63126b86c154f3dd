import { createServer, cut } from "@koma/fake-chat";
import type { FastifyReply, FastifyRequest } from "fastify";
import { botApi } from "../rules/bot-api.ts";
import { checkCall, checkResponse } from "../rules/check-call.ts";
import type { FakeState } from "../state/fake-state.ts";
import { ApiProblem, type Call, describeProblem, type Handlers, type Response, readCall } from "./call.ts";
import { createLimits, type FaultPlan } from "./faults.ts";
import { fillNulls } from "./fill-nulls.ts";

/** The HTTP server: parses and validates calls, applies faults, responds, and serves files. */
export async function openServer(
  state: FakeState,
  parts: {
    handlers: Handlers;
    plan: FaultPlan;
    poll: (call: Call, isGone: AbortSignal) => Promise<unknown>;
  },
) {
  const { handlers, plan, poll } = parts;
  const limits = createLimits(state);
  const { app, listen } = await createServer();

  const perform = async (call: Call, isGone: AbortSignal): Promise<unknown> => {
    const result = await produce(call, isGone);
    if (!state.settings.sendsNulls) return result;
    return fillNulls(botApi.methods[call.method]?.returns ?? [], result);
  };

  const produce = async (call: Call, isGone: AbortSignal): Promise<unknown> => {
    checkCall(state, call);
    limits.count(call);
    if (call.method === "getUpdates") return poll(call, isGone);
    const handle = handlers[call.method];
    if (handle === undefined) {
      const isKnown = botApi.methods[call.method] !== undefined;
      call.reject.blame("method", isKnown ? "is not implemented by the fake" : "does not exist");
      throw new ApiProblem(404, "Not Found: method not found");
    }
    const result = await handle(call);
    checkResponse(state, botApi.methods[call.method]?.returns, result, call.method);
    return result;
  };

  /** The response to a call with its faults; undefined if the connection ends without one. */
  const handleCall = async (call: Call, isGone: AbortSignal): Promise<Response | undefined> => {
    const work = () => attempt(state, call, () => perform(call, isGone));
    const { response, isCut } = await plan.apply(call, work);
    const seen = isCut ? undefined : response;
    state.calls.push({
      method: call.method,
      parameters: call.parameters,
      files: [...call.files.values()].map(({ name, bytes }) => ({ name, size: bytes.length })),
      status: seen?.status ?? 0,
      at: Date.now(),
    });
    return seen;
  };

  const serve = async (request: FastifyRequest, reply: FastifyReply) => {
    const [, token, method = ""] = /^\/bot([^/]+)\/(\w+)$/.exec(pathOf(request)) ?? [];
    if (token === undefined) return send(reply, describeProblem(new ApiProblem(404, "Not Found")));
    if (token !== state.settings.token)
      return send(reply, describeProblem(new ApiProblem(401, "Unauthorized")));
    const gone = new AbortController();
    reply.raw.once("close", () => gone.abort());
    const isPoll = method === "getUpdates";
    state.underWay += isPoll ? 0 : 1;
    try {
      const call = await readCall(state, method, request);
      const response = await handleCall(call, gone.signal);
      return response === undefined ? cut(request, reply) : send(reply, response);
    } finally {
      state.underWay -= isPoll ? 0 : 1;
      if (!isPoll) state.lastCallAt = Date.now();
      state.announce();
    }
  };

  /** A file at the address of getFile: `/file/bot<token>/<path>`. */
  const serveFile = async (request: FastifyRequest, reply: FastifyReply) => {
    const effect = await plan.meetDownload();
    const path = pathOf(request);
    const file = [...state.files.values()].find(
      (one) => path === `/file/bot${state.settings.token}/${one.path}`,
    );
    if (effect && !effect.isDropped)
      return send(reply, describeProblem(new ApiProblem(effect.status, "Internal Server Error")));
    if (!file || file.expiresAt < Date.now())
      return send(reply, describeProblem(new ApiProblem(404, "Not Found")));
    if (!effect) return reply.type("application/octet-stream").send(Buffer.from(file.bytes));
    reply.hijack();
    reply.raw.writeHead(200, { "content-length": file.bytes.length });
    reply.raw.write(file.bytes.slice(0, Math.floor(file.bytes.length / 2)), () =>
      request.raw.socket.destroy(),
    );
    return reply;
  };

  app.get("/file/*", serveFile);
  app.route({ method: ["GET", "POST"], url: "/*", handler: serve });
  state.origin = await listen();

  return { close: () => app.close() };
}

async function attempt(state: FakeState, call: Call, work: () => Promise<unknown>): Promise<Response> {
  try {
    return { status: 200, body: { ok: true, result: await work() } };
  } catch (error) {
    if (error instanceof ApiProblem) return describeProblem(error);
    const problem = error instanceof Error ? `${error.message} ${error.stack ?? ""}` : String(error);
    state.violations.push({ rule: "fake", where: call.method, problem });
    return describeProblem(new ApiProblem(500, "Internal Server Error"));
  }
}

function send(reply: FastifyReply, { status, body }: Response) {
  return body === undefined
    ? reply.code(status).type("text/html").send("<html><body>Bad Gateway</body></html>")
    : reply.code(status).send(body);
}

function pathOf(request: FastifyRequest): string {
  return decodeURIComponent(new URL(request.url, "http://fake").pathname);
}
