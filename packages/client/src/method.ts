import type { Endpoint, endpoints } from "@koma/contract";
import type { z } from "zod";

/** An endpoint that programs of ours call: all but those whose body others sign. */
export type ClientEndpoint = Exclude<(typeof endpoints)[number], { raw: unknown }>;

/** What a method takes: path and query parameters and the fields of the body, by their names. */
export type Input<E extends Endpoint> = Fields<E["params"]> & Fields<E["query"]> & FormOf<E> & JsonOf<E>;

/** What a method answers with: the JSON of its replies, a Blob of other content, undefined where there is none. */
export type EndpointResult<E extends Endpoint> = BodyOf<E["replies"][keyof E["replies"]]>;

/** How one call is made. */
export type CallOptions = {
  /** Ends the call; it then throws the signal's reason. */
  signal?: AbortSignal | undefined;
  /** Milliseconds that this call may take, waits and repetitions included. */
  deadlineMs?: number | undefined;
};

/** How one call of a method is made, with the headers that its endpoint knows. */
export type MethodOptions<E extends Endpoint> = CallOptions &
  (E extends { headers: infer H extends z.ZodObject } ? { headers?: Fields<H> | undefined } : unknown);

/** One endpoint as a function. */
export type Method<E extends Endpoint> =
  Record<never, never> extends Input<E>
    ? (input?: Input<E>, options?: MethodOptions<E>) => Promise<EndpointResult<E>>
    : (input: Input<E>, options?: MethodOptions<E>) => Promise<EndpointResult<E>>;

// Parameters are text on the way; a program gives what the text means, and leaves out what has a default.
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
