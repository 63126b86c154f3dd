import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { readConfiguration } from "@koma/cli/config";
import { findFfmpeg } from "@koma/library";
import { progress, runCommand } from "../run-command.ts";
import { createVideoAccess } from "./images/video-access.ts";
import { parseQualityOptions, type QualityCommand } from "./quality-options.ts";
import { buildReport } from "./report/build-report.ts";
import { type QualityResult, runQuality } from "./run-quality.ts";
import { createColourLayoutSystem } from "./systems/colour-layout-system.ts";
import { openKomaSystem } from "./systems/koma-system.ts";
import type { System } from "./systems/system.ts";

await runCommand(async (signal) => await main(parseQualityOptions(process.argv.slice(2)), signal));

async function main(command: QualityCommand, signal: AbortSignal): Promise<number> {
  const configuration = readConfiguration();
  const tools = await findFfmpeg({
    ffmpegPath: configuration.FFMPEG_PATH,
    ffprobePath: configuration.FFPROBE_PATH,
  });
  const temporary = command.work === undefined ? await mkdtemp(join(tmpdir(), "koma-quality-")) : undefined;
  const systems: System[] = [];
  try {
    const folder = resolve(command.work ?? temporary ?? "");
    systems.push(await openKomaSystem({ folder, tools, signal }));
    if (command.baseline) systems.push(createColourLayoutSystem());
    const access = createVideoAccess(tools, signal);
    const result = await runQuality(access, systems, command, progress.open, signal);
    if (result.videos.length === 0) {
      process.stderr.write(
        "koma: the folder contains no video that can be queried; choose another one with --videos.\n",
      );
      return 1;
    }
    await report(command, result);
    return 0;
  } finally {
    for (const system of systems) await system.close();
    if (temporary !== undefined) await rm(temporary, { recursive: true, force: true });
  }
}

async function report(command: QualityCommand, result: QualityResult): Promise<void> {
  const { text, json } = buildReport(command, result);
  progress.close();
  console.log(text);
  if (command.out === undefined) return;
  await mkdir(command.out, { recursive: true });
  await writeFile(join(command.out, "quality.json"), `${JSON.stringify(json, null, 1)}\n`);
}
