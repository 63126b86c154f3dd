import { getReadiness, Problem, Readiness } from "@koma/contract";
import { listenProblem, localAddress } from "../starter/address.ts";
import { type CheckContext, type Finding, ok, problem, warning } from "./finding.ts";

/** Checks that the ports of the API and the configured bots are free, or in use by Koma. */
export async function checkPorts({ configuration }: CheckContext): Promise<Finding[]> {
  const { HOST: host, PORT: port, KOMA_BOT_PORT: botPort } = configuration;
  const { DISCORD_TOKEN, TELEGRAM_TOKEN, TELEGRAM_WEBHOOK_URL } = configuration;
  const loopback = "127.0.0.1";
  const botPorts = [
    { isUsed: DISCORD_TOKEN !== undefined, offset: 0 },
    { isUsed: TELEGRAM_TOKEN !== undefined, offset: 1 },
  ].flatMap(({ isUsed, offset }) => (isUsed && botPort ? [botPort + offset] : []));
  const findings = [
    await checkPort({ host, port, variable: "PORT" }, identifyApi),
    ...(await Promise.all(
      botPorts.map((one) => checkPort({ host: loopback, port: one, variable: "KOMA_BOT_PORT" }, identifyBot)),
    )),
  ];
  if (TELEGRAM_WEBHOOK_URL === undefined || TELEGRAM_TOKEN === undefined) return findings;
  const webhook = {
    host: configuration.TELEGRAM_WEBHOOK_HOST,
    port: configuration.TELEGRAM_WEBHOOK_PORT,
    variable: "TELEGRAM_WEBHOOK_PORT",
  };
  const isTakenByBot = async () =>
    warning(`Port ${webhook.port} is in use; check that the Telegram bot runs.`);
  return [...findings, await checkPort(webhook, isTakenByBot)];
}

type Port = { host: string; port: number; variable: string };

async function checkPort(
  { host, port, variable }: Port,
  identify: (address: string) => Promise<Finding | undefined>,
): Promise<Finding> {
  if (port === 0) return ok(`${variable} is 0: a start selects a free port.`);
  const code = await listenProblem(host, port);
  switch (code) {
    case undefined:
      return ok(`Port ${port} on ${host} is free.`);
    case "EADDRINUSE":
      return (
        (await identify(localAddress(host, port))) ??
        problem(`Port ${port} is in use by another program: stop it, or change ${variable}.`)
      );
    case "EACCES":
      return problem(`Port ${port} needs special rights: change ${variable} to one from 1024 on.`);
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return problem(`This machine has no address ${host}: correct HOST.`);
    default:
      return problem(`Koma cannot listen on ${host}, port ${port} (${code}): change HOST or ${variable}.`);
  }
}

/** Undefined unless an API of Koma responds. */
async function identifyApi(address: string): Promise<Finding | undefined> {
  const body = await fetchJson(`${address}${getReadiness.path}`);
  const ready = Readiness.safeParse(body);
  if (ready.success) {
    return ok(`Koma responds at ${address} with ${ready.data.frameCount.toLocaleString("en")} frames.`);
  }
  const refusal = Problem.safeParse(body);
  if (!refusal.success || refusal.data.code !== "not_ready") return undefined;
  return warning(`Koma responds at ${address}, but cannot search yet: ${refusal.data.detail}`);
}

/** Undefined unless a bot of Koma responds. */
async function identifyBot(address: string): Promise<Finding | undefined> {
  const body = await fetchJson(`${address}/health`);
  if (typeof body !== "object" || body === null || !("status" in body)) return undefined;
  if (body.status === "ok") return ok(`A bot responds at ${address}.`);
  return warning(`The bot at ${address} is unhealthy: see its log.`);
}

async function fetchJson(url: string): Promise<unknown> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(responseLimitMs), redirect: "manual" });
    return await response.json();
  } catch {
    // Another program, which speaks no HTTP or does not respond, uses the port.
    return undefined;
  }
}

const responseLimitMs = 5000;
