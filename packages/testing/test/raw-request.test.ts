import { once } from "node:events";
import { createServer } from "node:net";
import { expect, test } from "vitest";
import { sendRawRequest } from "../src/raw-request.ts";

test("a response to HEAD has no body, although a second response follows", async () => {
  const json = "content-type: application/json\r\ncontent-length: 9";
  const server = createServer((socket) => {
    socket.once("data", () => {
      socket.write(`HTTP/1.1 404 Not Found\r\n${json}\r\n\r\n`);
      socket.end(`HTTP/1.1 400 Bad Request\r\n${json}\r\n\r\n{"a": 1}\n`);
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  const bytes = Buffer.from("HEAD / HTTP/1.1\r\nhost: localhost\r\n\r\nno request\r\n\r\n");
  const response = await sendRawRequest(`http://127.0.0.1:${port}`, bytes);
  server.close();
  expect(response).toMatchObject({ status: 404, body: undefined });
});
