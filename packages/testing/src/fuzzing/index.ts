/** The seeded generator of hostile requests, for the tests of the API and for `npm run fuzz`. */
export {
  type FuzzCredentials,
  type FuzzKind,
  type FuzzRequest,
  fuzzKinds,
  openFuzzRequests,
  writeRequest,
} from "./fuzz-requests.ts";
export { mutateBytes } from "./mutate-bytes.ts";
