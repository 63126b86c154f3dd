export { type Client, type ClientOptions, createClient } from "./create-client.ts";
export { ApiProblem, NetworkFailure, UnexpectedAnswer } from "./errors.ts";
export type { Answer, ClientEndpoint, Input, MethodOptions } from "./method.ts";
