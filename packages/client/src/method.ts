import type { Endpoint, endpoints } from "@koma/contract";
import type { z } from "zod";

/** The endpoints of the client: all but those with signed bodies of external services. */
export type ClientEndpoint = Exclude<(typeof endpoints)[number], { raw: unknown }>;

/** The input of a method: path and query parameters and body fields, by their names. */
export type Input<E extends Endpoint> = Fields<E["params"]> & Fields<E["query"]> & FormOf<E> & JsonOf<E>;

/** The result of a method: the JSON of its replies, a Blob of other content, undefined without content. */
export type EndpointResult<E extends Endpoint> = BodyOf<E["replies"][keyof E["replies"]]>;

/** The options of one call. */
export type CallOptions = {
  /** Ends the call, which then throws the signal's reason. */
  signal?: AbortSignal | undefined;
  /** The maximum milliseconds of this call, including waits and retries. */
  deadlineMs?: number | undefined;
  /**
   * The milliseconds for which the call is repeated while the API is away, if that is safe: after 502, 503,
   * 504 and broken connections alike. Default: until the deadline after 503, and twice after the others.
   */
  outageMs?: number | undefined;
};

/** The options of one call of a method, including the headers of its endpoint. */
export type MethodOptions<E extends Endpoint> = CallOptions &
  (E extends { headers: infer H extends z.ZodObject } ? { headers?: Fields<H> | undefined } : unknown);

/** The function of one endpoint. */
export type Method<E extends Endpoint> =
  Record<never, never> extends Input<E>
    ? (input?: Input<E>, options?: MethodOptions<E>) => Promise<EndpointResult<E>>
    : (input: Input<E>, options?: MethodOptions<E>) => Promise<EndpointResult<E>>;

// Parameters are sent as text; a caller passes their values, and omits those with a default.
type Fields<S> = S extends z.ZodObject
  ? { [K in RequiredKey<S>]: z.output<S>[K] } & { [K in OptionalKey<S>]?: z.output<S>[K] | undefined }
  : unknown;
type OptionalKey<S extends z.ZodObject> = keyof {
  [K in keyof z.output<S> & keyof z.input<S> as undefined extends z.input<S>[K] ? K : never]: K;
} &
  keyof z.output<S>;
type RequiredKey<S extends z.ZodObject> = Exclude<keyof z.output<S>, OptionalKey<S>>;

type FormOf<E> = E extends { form: { fields: infer F; files: infer Files } }
  ? Fields<F> & { [K in keyof Files]?: Blob | undefined }
  : unknown;
type JsonOf<E> = E extends { json: infer J extends z.ZodObject } ? z.input<J> : unknown;

type BodyOf<R> = R extends { body: infer B extends z.ZodType }
  ? z.output<B>
  : R extends { contentType: string }
    ? Blob
    : undefined;
