import { listMissingScenes, MissingScene, markMissingScene } from "@koma/contract";
import type { Database } from "@koma/database";
import type { FastifyInstance } from "fastify";
import { ApiError } from "../api-error.ts";
import { registerEndpoint } from "../register-endpoint.ts";
import type { MissingScenes } from "../search/missing-scenes.ts";
import { describeAction } from "./operator-library.ts";

/** `/api/operator/missing-scenes`. */
export function registerOperatorMissing(
  app: FastifyInstance,
  { database, missingScenes }: { database: Database; missingScenes: MissingScenes },
): void {
  app.addHook("onClose", () => missingScenes.settled());

  registerEndpoint(app, listMissingScenes, async ({ query }) => {
    const { total, items } = await database.missingScenes.list(query);
    return {
      ...query,
      total,
      items: items.map(({ upstream, firstAt, lastAt, ...scene }) => ({
        ...scene,
        firstAt: firstAt.toISOString(),
        lastAt: lastAt.toISOString(),
        upstream: MissingScene.shape.upstream.safeParse(upstream).data ?? null,
      })),
    };
  });

  registerEndpoint(app, markMissingScene, async ({ caller, params: { id }, json: { state } }) => {
    if (!(await database.missingScenes.mark(id, state))) {
      throw new ApiError("not_found", "This missing scene does not exist.");
    }
    await database.audit.record(describeAction(caller, "missing.mark", `missing:${id}`, { state }));
  });
}
