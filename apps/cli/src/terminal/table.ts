import Table from "cli-table3";

/** A table for a terminal, with a line under its head. */
export function formatTable(
  head: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): string {
  const table = new Table({
    head: [...head],
    chars: {
      top: "",
      "top-mid": "",
      "top-left": "",
      "top-right": "",
      bottom: "",
      "bottom-mid": "",
      "bottom-left": "",
      "bottom-right": "",
      left: "",
      "left-mid": "",
      mid: "",
      "mid-mid": "",
      right: "",
      "right-mid": "",
      middle: "  ",
    },
    style: { "padding-left": 0, "padding-right": 0, head: [], border: [] },
  });
  for (const row of rows) table.push(row.map((cell) => printable(String(cell))));
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => String(row[column] ?? "").length)),
  );
  const lines = table.toString().split("\n");
  lines.splice(1, 0, widths.map((width) => "─".repeat(width)).join("  "));
  return lines.map((line) => line.trimEnd()).join("\n");
}

/** Text without control characters, which file names may contain and terminals interpret. */
export function printable(text: string): string {
  return text.replace(/\p{Cc}/gu, "�");
}
