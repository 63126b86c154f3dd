import multipart from "@fastify/multipart";
import fastify, { type FastifyReply, type FastifyRequest } from "fastify";
import { checkCall, checkResponse } from "../rules/check-call.ts";
import type { Description } from "../rules/read-description.ts";
import type { FakeState } from "../state/fake-state.ts";
import type { Call, Handler } from "./call.ts";
import { createLimits, type Effect, type FaultPlan } from "./faults.ts";
import { fillNulls } from "./fill-nulls.ts";
import { ApiProblem } from "./problems.ts";
import { createCall, readCall } from "./read-call.ts";
import { serveFile, serveWebFile } from "./serve-file.ts";

type Response = { status: number; body: Readonly<Record<string, unknown>> | undefined };

/** The HTTP server: parses and validates calls, applies faults, responds, and serves files. */
export async function openServer(
  state: FakeState,
  parts: {
    handlers: Readonly<Record<string, Handler>>;
    description: Description;
    plan: FaultPlan;
    poll: (call: Call, isGone: AbortSignal) => Promise<unknown>;
  },
) {
  const { handlers, description, plan, poll } = parts;
  const limits = createLimits(state);
  const app = fastify({ bodyLimit: 64 * 1024 * 1024, forceCloseConnections: true, exposeHeadRoutes: false });
  await app.register(multipart);
  app.addContentTypeParser(
    "application/x-www-form-urlencoded",
    { parseAs: "string" },
    (_request, body, done) => done(null, body),
  );

  const perform = async (call: Call, isGone: AbortSignal): Promise<unknown> => {
    const result = await produce(call, isGone);
    if (!state.settings.sendsNulls) return result;
    return fillNulls(description, description.methods[call.method]?.returns ?? [], result);
  };

  const produce = async (call: Call, isGone: AbortSignal): Promise<unknown> => {
    checkCall(state, description, call);
    limits.count(call);
    if (call.method === "getUpdates") return poll(call, isGone);
    const handle = handlers[call.method];
    if (handle === undefined) {
      const isKnown = description.methods[call.method] !== undefined;
      call.reject.blame("method", isKnown ? "is not implemented by the fake" : "does not exist");
      throw new ApiProblem(404, "Not Found: method not found");
    }
    const result = await handle(call);
    checkResponse(state, description, description.methods[call.method]?.returns, result, call.method);
    return result;
  };

  /** The response to a call with its faults; undefined if the connection ends without one. */
  const handleCall = async (call: Call, isGone: AbortSignal): Promise<Response | undefined> => {
    const effects = plan.meet(call);
    for (const effect of effects)
      if (effect.kind === "delay") await new Promise((done) => setTimeout(done, effect.ms));
    const hangUp = effects.find((effect) => effect.kind === "hang-up");
    if (hangUp && !hangUp.isAfter) return undefined;
    const failed = effects.find((effect) => effect.kind === "fail");
    const response = failed ? spoil(failed) : await attempt(state, call, () => perform(call, isGone));
    return hangUp ? undefined : response;
  };

  const serve = async (request: FastifyRequest, reply: FastifyReply) => {
    const [, token, method = ""] = /^\/bot([^/]+)\/(\w+)$/.exec(pathOf(request)) ?? [];
    if (token === undefined)
      return reply.code(404).send({ ok: false, error_code: 404, description: "Not Found" });
    if (token !== state.settings.token)
      return reply.code(401).send({ ok: false, error_code: 401, description: "Unauthorized" });
    const gone = new AbortController();
    reply.raw.once("close", () => gone.abort());
    const isPoll = method === "getUpdates";
    state.underWay += isPoll ? 0 : 1;
    try {
      const call = await readCall(state, description, method, request);
      const response = await handleCall(call, gone.signal);
      record(state, call, response);
      if (response === undefined) {
        reply.hijack();
        request.raw.socket.destroy();
        return reply;
      }
      if (response.body === undefined)
        return reply.code(response.status).type("text/html").send("<html><body>Bad Gateway</body></html>");
      return reply.code(response.status).send(response.body);
    } finally {
      state.underWay -= isPoll ? 0 : 1;
      if (!isPoll) state.lastCallAt = Date.now();
      state.announce();
    }
  };

  app.get("/file/*", (request, reply) => serveFile(state, plan, request, reply));
  app.get("/web/*", (request, reply) => serveWebFile(state, request, reply));
  app.route({ method: ["GET", "POST"], url: "/*", handler: serve });
  state.origin = await app.listen({ host: "127.0.0.1", port: 0 });

  return {
    /** A call in the response of a webhook. */
    async performForWebhook(method: string, parameters: Readonly<Record<string, unknown>>) {
      const call = createCall(state, description, {
        method,
        params: parameters,
        files: new Map(),
        encoding: "webhook",
      });
      record(state, call, await handleCall(call, new AbortController().signal));
    },
    close: () => app.close(),
  };
}

async function attempt(state: FakeState, call: Call, work: () => Promise<unknown>): Promise<Response> {
  try {
    return { status: 200, body: { ok: true, result: await work() } };
  } catch (error) {
    if (!(error instanceof ApiProblem)) {
      const problem = error instanceof Error ? `${error.message} ${error.stack ?? ""}` : String(error);
      state.violations.push({ rule: "fake", where: call.method, problem });
      return { status: 500, body: { ok: false, error_code: 500, description: "Internal Server Error" } };
    }
    return describeProblem(error);
  }
}

function spoil({ status, description, parameters, body }: Effect & { kind: "fail" }): Response {
  if (body !== undefined) return { status, body: { ...body } };
  const isProxy = description === undefined && status === 502;
  if (isProxy) return { status, body: undefined };
  return describeProblem(new ApiProblem(status, description ?? "Internal Server Error", parameters));
}

function describeProblem({ status, message, parameters }: ApiProblem): Response {
  const body = { ok: false, error_code: status, description: message, ...(parameters ? { parameters } : {}) };
  return { status, body };
}

function record(state: FakeState, call: Call, response: Response | undefined) {
  state.calls.push({
    method: call.method,
    parameters: call.parameters,
    files: [...call.files.values()].map(({ name, fileName, bytes }) => ({
      name,
      fileName,
      size: bytes.length,
    })),
    encoding: call.encoding,
    status: response?.status ?? 0,
    description: typeof response?.body?.description === "string" ? response.body.description : undefined,
    at: Date.now(),
  });
}

function pathOf(request: FastifyRequest): string {
  return decodeURIComponent(new URL(request.url, "http://fake").pathname);
}
