// Loaded into the API with `node --import`: mutated addresses can name public hosts, and fuzzing must not
// reach other machines. Names have no addresses, and connections to other machines are refused.
import { Resolver } from "node:dns/promises";
import { Socket } from "node:net";

const resolveNone = async () => {
  throw Object.assign(new Error("Fuzzing resolves no names."), { code: "ENOTFOUND" });
};
Resolver.prototype.resolve4 = resolveNone;
Resolver.prototype.resolve6 = resolveNone;

const { connect } = Socket.prototype;
Socket.prototype.connect = function (this: Socket, ...options: unknown[]) {
  // `net.connect` calls this method with one array of its normalized arguments.
  const [first] = Array.isArray(options[0]) ? options[0] : options;
  const host = typeof first === "object" && first !== null && "host" in first ? first.host : undefined;
  if (typeof host !== "string" || /^(?:127\.|::1$|localhost$)/.test(host)) {
    return Reflect.apply(connect, this, options);
  }
  const refusal = Object.assign(new Error(`Fuzzing refuses ${host}.`), { code: "ECONNREFUSED" });
  process.nextTick(() => this.destroy(refusal));
  return this;
};
