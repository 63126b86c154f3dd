import type { CallerHashes } from "@koma/accounts";
import {
  blockChat,
  listAuditRecords,
  listBlockedChats,
  listCorrections,
  settleCorrection,
  unblockChat,
} from "@koma/contract";
import type { Database } from "@koma/database";
import type { FastifyInstance } from "fastify";
import { ApiError } from "../api-error.ts";
import { registerEndpoint } from "../register-endpoint.ts";
import type { StoredScenes } from "../search/stored-scene.ts";
import { describeAction } from "./operator-library.ts";

/** `/api/operator/corrections`, `/api/operator/blocked-chats` and `/api/operator/audit`. */
export function registerOperatorRecords(
  app: FastifyInstance,
  { database, hashes, scenes }: { database: Database; hashes: CallerHashes; scenes: StoredScenes },
): void {
  registerEndpoint(app, listCorrections, async ({ query }) => {
    const { page, pageSize } = query;
    const { total, items } = await database.corrections.list(query);
    const show = await scenes.open(items.flatMap(({ match }) => match ?? []));
    return {
      page,
      pageSize,
      total,
      items: items.map(({ searchId: id, text, match, createdAt }) => ({
        id,
        createdAt: createdAt.toISOString(),
        text,
        match: (match && show(match)) ?? null,
      })),
    };
  });

  registerEndpoint(app, settleCorrection, async ({ caller, params: { id } }) => {
    if (!(await database.corrections.remove(id))) {
      throw new ApiError("not_found", "This search has no correction.");
    }
    await database.audit.record(describeAction(caller, "correction.settle", `search:${id}`));
  });

  registerEndpoint(app, listBlockedChats, async () => {
    const blocks = await database.chatBlocks.list();
    return { items: blocks.map((block) => ({ ...block, createdAt: block.createdAt.toISOString() })) };
  });

  registerEndpoint(app, blockChat, async ({ caller, json: { kind, chat, note } }) => {
    const key = kind === "server" ? hashes.server(chat) : hashes.chat(chat);
    // The log has the hash only, because the database does not store chat users.
    await database.audit.record(describeAction(caller, "chat.block", `chat:${key}`));
    await database.chatBlocks.block({ key, kind, note });
  });

  registerEndpoint(app, unblockChat, async ({ caller, params: { key } }) => {
    if ((await database.chatBlocks.find([key])) === undefined) {
      throw new ApiError("not_found", "This chat is not blocked.");
    }
    await database.audit.record(describeAction(caller, "chat.unblock", `chat:${key}`));
    await database.chatBlocks.unblock(key);
  });

  registerEndpoint(app, listAuditRecords, async ({ query }) => {
    const { page, pageSize } = query;
    const { total, items } = await database.audit.list(query);
    return {
      page,
      pageSize,
      total,
      items: items.map(({ createdAt, details, ...entry }) => ({
        ...entry,
        createdAt: createdAt.toISOString(),
        details: details === undefined ? null : JSON.stringify(details),
      })),
    };
  });
}
