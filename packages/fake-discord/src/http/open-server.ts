import multipart from "@fastify/multipart";
import fastify, { type FastifyReply, type FastifyRequest } from "fastify";
import { asDescribed } from "../rules/as-described.ts";
import { checkCall, describeCall } from "../rules/check-call.ts";
import type { Checker } from "../rules/create-checker.ts";
import type { FakeState } from "../state/fake-state.ts";
import { asObject } from "../state/json.ts";
import { isSigned } from "../state/sign.ts";
import type { Call, Response, Route } from "./call.ts";
import type { Effect, FaultPlan } from "./faults.ts";
import { fillNulls } from "./fill-nulls.ts";
import { createLimits } from "./limits.ts";
import { DiscordProblem, describeProblem } from "./problems.ts";
import { apiPrefix, readCall } from "./read-call.ts";

/** The HTTP server: validates requests, applies faults, responds, and hosts files. */
export async function openServer(
  state: FakeState,
  parts: {
    routes: readonly Route[];
    templates: readonly string[];
    checker: Checker;
    plan: FaultPlan;
  },
) {
  const limits = createLimits(state.settings.hasRateLimits);
  const app = fastify({ bodyLimit: 64 * 1024 * 1024, forceCloseConnections: true });
  await app.register(multipart);

  const handleCall = async (call: Call, request: FastifyRequest): Promise<Response> => {
    if (call.route === "") throw unknownPath(state, call, parts.checker);
    const isOpen = /^\/(webhooks|interactions|gateway$)/.test(call.route);
    if (!isOpen && request.headers.authorization !== `Bot ${state.settings.token}`)
      throw new DiscordProblem(0);
    const route = parts.routes.find((one) => one.method === call.method && one.template === call.route);
    if (route === undefined) throw unknownPath(state, call, parts.checker);
    checkCall(state, parts.checker, call);
    return route.handle(call, asObject(call.body) ?? {});
  };

  const serve = async (request: FastifyRequest, reply: FastifyReply) => {
    const call = await readCall(request, parts.templates);
    const effects = parts.plan.meet(call);
    const { headers, retryAfterMs, isGlobal } = limits.count(call);
    reply.headers(headers);
    for (const effect of effects)
      if (effect.kind === "delay") await new Promise((done) => setTimeout(done, effect.ms));
    const hangUp = effects.find((effect) => effect.kind === "hang-up");
    const spoiled = hangUp ? undefined : spoil(effects, reply);
    const crowded =
      retryAfterMs === undefined ? undefined : tooMany(reply, retryAfterMs, isGlobal ?? false, "user");
    const isDone = spoiled === undefined && crowded === undefined && !(hangUp && !hangUp.isAfter);
    const response =
      spoiled ?? crowded ?? (isDone ? await attempt(() => handleCall(call, request)) : { status: 0 });
    record(call, response);
    if (hangUp) {
      reply.hijack();
      request.raw.socket.destroy();
      return reply;
    }
    checkResponse(call, response);
    return response.body === undefined
      ? reply.code(response.status).send()
      : reply
          .code(response.status)
          .send(state.settings.sendsNulls ? fillNulls(response.body) : response.body);
  };

  const record = (call: Call, response: Response) => {
    const code = response.status >= 400 ? asObject(response.body)?.code : undefined;
    state.requests.push({
      method: call.method,
      path: call.path,
      route: call.route,
      query: call.query,
      body: call.body,
      files: call.files.map(({ name, bytes }) => ({ name, size: bytes.length })),
      status: response.status,
      code: typeof code === "number" ? code : undefined,
      at: Date.now(),
    });
    state.announce();
  };

  const checkResponse = (call: Call, { status, body }: Response) => {
    if (!parts.checker.hasOperation(call.route, call.method)) return;
    const misfits = parts.checker.checkResponse(call.route, call.method, status, asDescribed(body));
    const where = `response ${status} to ${describeCall(call)}`;
    state.violations.push(...misfits.map(({ problem }) => ({ rule: "fake", where, problem })));
  };

  // Unreadable requests and failures of the fake itself are violations as well.
  app.setErrorHandler((error, request, reply) => {
    const problem = error instanceof Error ? error.message : String(error);
    const isUnreadable =
      error instanceof DiscordProblem || error instanceof SyntaxError || isClientError(error);
    const where = `${request.method} ${request.routeOptions.url ?? ""}`;
    state.violations.push({ rule: isUnreadable ? "body" : "fake", where, problem });
    const discordProblem = error instanceof DiscordProblem ? error : new DiscordProblem(50109);
    const status = isUnreadable ? discordProblem.status : 500;
    return reply
      .code(status)
      .send(isUnreadable ? describeProblem(discordProblem) : { message: problem, code: 0 });
  });
  app.all(`${apiPrefix}/*`, serve);
  app.get("/attachments/:channel/:id/:name", (request, reply) => {
    const { id } = request.params as { id: string };
    const file = state.files.get(id);
    const isGood = file && isSigned(state, file, request.query as Record<string, string>);
    if (!isGood) return reply.code(404).type("text/plain").send("This content is no longer available.");
    return reply.type(file.contentType).send(Buffer.from(file.bytes));
  });
  app.get("/web/:id/:name", (request, reply) => {
    const file = state.webFiles.get((request.params as { id: string }).id);
    return file
      ? reply.type(file.contentType).send(Buffer.from(file.bytes))
      : reply.code(404).send("Not found");
  });
  await app.listen({ port: 0, host: "127.0.0.1" });
  const address = app.server.address();
  state.origin = `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`;
  return { server: app.server, close: () => app.close() };
}

function isClientError(error: unknown): boolean {
  const status = asObject(error)?.statusCode;
  return typeof status === "number" && status < 500;
}

async function attempt(act: () => Promise<Response>): Promise<Response> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof DiscordProblem) return { status: error.status, body: describeProblem(error) };
    throw error;
  }
}

function spoil(effects: readonly Effect[], reply: FastifyReply): Response | undefined {
  for (const effect of effects) {
    if (effect.kind === "rate-limit")
      return tooMany(reply, effect.retryAfterMs, effect.isGlobal, effect.scope);
    if (effect.kind === "fail") {
      const { code, status, message, errors } = effect;
      const problem = new DiscordProblem(code ?? -1, {
        ...(status !== undefined ? { status } : code === undefined ? { status: 500 } : {}),
        ...(message !== undefined ? { message } : {}),
      });
      return {
        status: problem.status,
        body: { message: problem.message, code: code ?? 0, ...(errors && { errors }) },
      };
    }
  }
  return undefined;
}

function tooMany(reply: FastifyReply, retryAfterMs: number, isGlobal: boolean, scope: string): Response {
  const retry_after = Math.max(1, retryAfterMs) / 1000;
  reply.headers({
    "retry-after": String(Math.ceil(retry_after)),
    "x-ratelimit-scope": isGlobal ? "global" : scope,
    "x-ratelimit-remaining": "0",
    "x-ratelimit-reset-after": retry_after.toFixed(3),
    ...(isGlobal && { "x-ratelimit-global": "true" }),
  });
  return {
    status: 429,
    body: { message: "You are being rate limited.", code: 0, retry_after, global: isGlobal },
  };
}

function unknownPath(state: FakeState, call: Call, checker: Checker): DiscordProblem {
  const isDescribed = call.route !== "" && checker.hasOperation(call.route, call.method);
  const problem = isDescribed
    ? "described by Discord, but not implemented by the fake"
    : "Discord has no such path";
  state.violations.push({ rule: isDescribed ? "fake" : "path", where: describeCall(call), problem });
  return new DiscordProblem(0, { status: 404, message: "404: Not Found" });
}
