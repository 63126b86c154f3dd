import { type ErrorCode, exampleProblem, problems } from "../endpoint/problem.ts";
import { endpoints } from "../endpoints.ts";
import { describeOperation } from "./describe-operation.ts";
import { describeComponents, type OpenApiObject } from "./json-schema.ts";

/** The API as an OpenAPI 3.1 document for the given base address. */
export function describeApi(options: { baseUrl: string; version: string }): OpenApiObject {
  const paths: { [path: string]: OpenApiObject } = {};
  for (const endpoint of endpoints) {
    paths[endpoint.path] = {
      ...paths[endpoint.path],
      [endpoint.method.toLowerCase()]: describeOperation(endpoint),
    };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Koma",
      version: options.version,
      summary: "Which anime is this, which episode, which second?",
      description:
        "Times inside a video are in seconds, instants in ISO 8601 UTC, ids opaque. Every response carries `x-request-id`; " +
        "every error is `application/problem+json` (RFC 9457) with a `code`. Fields may be added, none is renamed.\n\n" +
        "Invalid credentials are 401, never a guest. With a key and a cookie, the key decides. Sign-up, sign-in and account " +
        "management are under `/api/auth/*`, with the bodies of better-auth.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: options.baseUrl }],
    tags: [...new Set(endpoints.map((endpoint) => endpoint.tag))].map((name) => ({ name })),
    security: [],
    paths,
    components: { schemas: describeComponents(), examples: describeProblemExamples(), securitySchemes },
  };
}

const securitySchemes = {
  session: {
    type: "apiKey",
    in: "cookie",
    name: "better-auth.session_token",
    description:
      "The cookie that `POST /api/auth/sign-in/email` sets (`__Secure-better-auth.session_token` over https). A request that " +
      "changes something also needs an `Origin` header of a trusted site, else it is `untrusted_origin`. The role `admin`: " +
      "the user is an administrator (`koma user admin <user>`), and has a second factor where the server requires one, else " +
      "it is `two_factor_required`.",
  },
  apiKey: {
    type: "http",
    scheme: "bearer",
    description:
      "An API key. The roles `search` and `account`: a key with this scope, else it is `forbidden`. The role `bot`: a key " +
      "that has this permission.",
  },
};

function describeProblemExamples(): OpenApiObject {
  const codes = Object.keys(problems) as ErrorCode[];
  return Object.fromEntries(
    codes.map((code) => [code, { summary: problems[code].title, value: exampleProblem(code) }]),
  );
}
