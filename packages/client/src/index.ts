export {
  type Client,
  type ClientOf,
  type ClientOptions,
  createClient,
  createClientOf,
} from "./create-client.ts";
export { ApiProblem, NetworkFailure, UnexpectedResponse } from "./errors.ts";
export type { ClientEndpoint, EndpointResult, Input, MethodOptions } from "./method.ts";
