import { createHash } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";

/** A body with its ETag. */
export type TaggedDocument = { body: Buffer; etag: string };

/** The bodies of static documents, which `response-budget.ts` does not count. */
const shared = new WeakSet<Uint8Array>();

/** A document that all its responses share, so that a response needs no memory of its own. */
export function createStaticDocument(content: Buffer | string): TaggedDocument {
  const document = tagDocument(content);
  shared.add(document.body);
  return document;
}

/** A document for one response. */
export function tagDocument(content: Buffer | string): TaggedDocument {
  const body = typeof content === "string" ? Buffer.from(content) : content;
  return { body, etag: `"${createHash("sha256").update(body).digest("base64url")}"` };
}

/** Whether a body belongs to a static document. */
export function isShared(body: unknown): boolean {
  return body instanceof Uint8Array && shared.has(body);
}

/** Responds with a document, or with 304 where the client has it. Sets the ETag and nothing else. */
export function sendTagged(
  request: FastifyRequest,
  reply: FastifyReply,
  { body, etag }: TaggedDocument,
): FastifyReply {
  reply.header("etag", etag);
  if (request.headers["if-none-match"] === etag) return reply.code(304).send();
  return reply.send(body);
}
