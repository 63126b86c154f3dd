import { fileURLToPath } from "node:url";

/**
 * The file of a program of another app, as the exports of its package name it. The packages are dependencies
 * in package.json, so that the boundary check includes them.
 * @param {"@koma/api/main" | "@koma/cli/koma" | "@koma/cli/main" | "@koma/discord-bot/main" | "@koma/telegram-bot/main"} name
 */
export function programFile(name) {
  return fileURLToPath(import.meta.resolve(name));
}
