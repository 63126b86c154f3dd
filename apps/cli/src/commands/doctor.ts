import { Command } from "commander";
import type { CommandContext } from "../command-context.ts";
import { readEnvironment } from "../config.ts";
import { diagnose } from "../doctor/diagnose.ts";
import { formatCount } from "../terminal/format.ts";
import { formatTable } from "../terminal/table.ts";
import { writeJsonLine } from "../terminal/write-json-line.ts";

/** `koma doctor` */
export function createDoctorCommand({ finish }: CommandContext): Command {
  return new Command("doctor")
    .summary("Check the installation.")
    .description(
      "Checks the configuration, ffmpeg and its codecs, the disk, the database, the clock, the index, secrets and tokens, and the ports, also while Koma runs. It changes nothing. Exit code 1: there is a problem.",
    )
    .option("--json", "print one JSON line per result")
    .action(async ({ json }: { json?: true }) => {
      const findings = await diagnose(readEnvironment());
      const problemCount = findings.filter(({ status }) => status === "problem").length;
      if (problemCount > 0) finish(1);
      if (json) {
        for (const finding of findings) await writeJsonLine(finding);
        return;
      }
      const rows = findings.map(({ status, check, detail }) => [status, check, detail]);
      const summary = problemCount === 0 ? "No problem." : `${formatCount(problemCount, "problem")}.`;
      process.stdout.write(`${formatTable(["Status", "Check", "Found"], rows)}\n\n${summary}\n`);
    });
}
