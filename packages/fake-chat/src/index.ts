export { type Changes, createChanges, type Violation } from "./changes.ts";
export { createFaults } from "./faults.ts";
export { asList, asNumber, asObject, asObjects, asText, compact, type Json } from "./json.ts";
export { formatOf, mimeTypeOf } from "./media-types.ts";
export { createServer, cut, readParts, type UploadedFile } from "./server.ts";
