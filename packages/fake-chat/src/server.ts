import multipart from "@fastify/multipart";
import fastify, { type FastifyReply, type FastifyRequest } from "fastify";

/** A file of a multipart request: the name of its field, and its own. */
export type UploadedFile = { name: string; fileName: string; bytes: Uint8Array };

const mebibyte = 1024 * 1024;

/** An HTTP server on this machine. Add routes, then listen. */
export async function createServer() {
  const app = fastify({ bodyLimit: 64 * mebibyte, forceCloseConnections: true, exposeHeadRoutes: false });
  await app.register(multipart);
  app.addContentTypeParser(
    "application/x-www-form-urlencoded",
    { parseAs: "string" },
    (_request, body, done) => done(null, body),
  );
  return { app, listen: () => app.listen({ host: "127.0.0.1", port: 0 }) };
}

/** Ends the connection without a response. */
export function cut(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply.hijack();
  request.raw.socket.destroy();
  return reply;
}

/** The fields and files of a multipart request. */
export async function readParts(request: FastifyRequest) {
  const fields: Record<string, unknown> = {};
  const files: UploadedFile[] = [];
  const limits = { fileSize: 128 * mebibyte, fieldSize: 8 * mebibyte, files: 50, fields: 100 };
  for await (const part of request.parts({ limits })) {
    if (part.type === "field") fields[part.fieldname] = part.value;
    else {
      const bytes = new Uint8Array(await part.toBuffer());
      files.push({ name: part.fieldname, fileName: part.filename, bytes });
    }
  }
  return { fields, files };
}
