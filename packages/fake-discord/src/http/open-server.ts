import { createServer, cut } from "@koma/fake-chat";
import type { FastifyReply, FastifyRequest } from "fastify";
import { checkResponse } from "../rules/check-by-description.ts";
import { checkCall } from "../rules/check-call.ts";
import { findOperation } from "../rules/description.ts";
import { type FakeState, sign } from "../state/fake-state.ts";
import { apiPrefix, type Call, describeCall, type Response, type Routes, readCall } from "./call.ts";
import type { FaultPlan } from "./faults.ts";
import { fillNulls } from "./fill-nulls.ts";
import { createLimits } from "./limits.ts";
import { DiscordProblem, describeProblem } from "./problems.ts";

/** The HTTP server: validates requests, applies faults, responds, and hosts files. */
export async function openServer(state: FakeState, parts: { routes: Routes; plan: FaultPlan }) {
  const limits = createLimits(state.settings.hasRateLimits);
  const { app, listen } = await createServer();

  const handleCall = async (call: Call, request: FastifyRequest): Promise<Response> => {
    if (call.route === "") throw unknownPath(state, call);
    const isOpen = /^\/(webhooks|interactions|gateway$)/.test(call.route);
    if (!isOpen && request.headers.authorization !== `Bot ${state.settings.token}`)
      throw new DiscordProblem(0);
    const handle = parts.routes[`${call.method} ${call.route}`];
    if (handle === undefined) throw unknownPath(state, call);
    checkCall(state, call);
    const body = await handle(call);
    return { status: body === undefined ? 204 : 200, body };
  };

  const serve = async (request: FastifyRequest, reply: FastifyReply) => {
    const call = await readCall(request);
    const limit = limits.count(call);
    reply.headers(limit.headers);
    const { response = { status: 0 }, isCut } = await parts.plan.apply(
      call,
      async () => limit.response ?? attempt(() => handleCall(call, request)),
    );
    const { status, body } = response;
    state.requests.push({
      method: call.method,
      route: call.route,
      files: call.files.map(({ name }) => name),
    });
    state.announce();
    if (isCut) return cut(request, reply);
    checkOwn(call, response);
    reply.code(status).headers(response.headers ?? {});
    if (body === undefined) return reply.send();
    return reply.send(state.settings.sendsNulls ? fillNulls(body) : body);
  };

  const checkOwn = (call: Call, { status, body }: Response) => {
    if (!findOperation(call.route, call.method)) return;
    const misfits = checkResponse(call.route, call.method, status, body);
    const where = `response ${status} to ${describeCall(call)}`;
    state.violations.push(...misfits.map(({ problem }) => ({ rule: "fake", where, problem })));
  };

  // Unreadable requests and failures of the fake itself are violations as well.
  app.setErrorHandler((error, request, reply) => {
    const problem = error instanceof Error ? error.message : String(error);
    const where = `${request.method} ${request.routeOptions.url ?? ""}`;
    // A bot that stops can end a connection in the middle of an upload.
    const isLeft = request.raw.destroyed && problem === "aborted";
    if (!isLeft) state.violations.push({ rule: "fake", where, problem });
    return reply.code(500).send({ message: problem, code: 0 });
  });
  app.all(`${apiPrefix}/*`, serve);
  app.get("/attachments/:channel/:id/:name", (request, reply) => {
    const { id } = request.params as { id: string };
    const file = state.files.get(id);
    const { hm } = request.query as { hm?: string };
    if (!file || hm !== sign(file))
      return reply.code(404).type("text/plain").send("This content is no longer available.");
    return reply.type(file.contentType).send(Buffer.from(file.bytes));
  });
  app.get("/web/:index/:name", (request, reply) => {
    const { index } = request.params as { index: string };
    const file = state.webFiles[Number(index)];
    return file
      ? reply.type(file.contentType).send(Buffer.from(file.bytes))
      : reply.code(404).send("Not found");
  });
  state.origin = await listen();
  return { server: app.server, close: () => app.close() };
}

async function attempt(act: () => Promise<Response>): Promise<Response> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof DiscordProblem) return { status: error.status, body: describeProblem(error) };
    throw error;
  }
}

function unknownPath(state: FakeState, call: Call): DiscordProblem {
  const isDescribed = call.route !== "" && findOperation(call.route, call.method) !== undefined;
  const problem = isDescribed
    ? "described by Discord, but not implemented by the fake"
    : "Discord has no such path";
  state.violations.push({ rule: isDescribed ? "fake" : "path", where: describeCall(call), problem });
  return new DiscordProblem(0, { status: 404, message: "404: Not Found" });
}
