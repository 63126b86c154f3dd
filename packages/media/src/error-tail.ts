/**
 * Collects the last error lines of a tool that runs with `-loglevel level+…` and joins them to a readable
 * reason.
 */
export function createErrorTail() {
  const lines: string[] = [];
  return {
    /** Processes a line of standard error; returns true for an error or a warning. */
    take(line: string): boolean {
      const match = levelLine.exec(line);
      if (match === null) return false;
      const [, level, text = ""] = match;
      if (level === "info" || level === "verbose" || level === "debug") return false;
      if (level !== "warning") appendLines(lines, cleaned(text));
      return true;
    },
    /** Returns the last distinct errors in one line, at most 300 characters. */
    reason: () => lines.join("; ").slice(0, 300),
  };
}

// "[mov,mp4 @ 0x55d] [error] moov atom not found" and "[error] file:/videos/a.mp4: Invalid data found"
const levelLine =
  /^(?:\[[^\]]* @ [^\]]*\] )*\[(panic|fatal|error|warning|info|verbose|debug)\] (?:\[[^\]]* @ [^\]]*\] )*(.*)$/;
const lineLimit = 3;

function appendLines(lines: string[], text: string): void {
  if (text === "" || lines.includes(text)) return;
  lines.push(text);
  if (lines.length > lineLimit) lines.shift();
}

function cleaned(text: string): string {
  return text
    .replace(/^(Error opening input(?: file)? )?file:.*: (?=[^:]+$)/, "")
    .replace(/'?file:\S.*$/, "")
    .trim();
}
