/** The colours and fonts of the API reference page. */
export const docsStyle = `
:root {
  --scalar-font: ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
  --scalar-font-code: ui-monospace, "SF Mono", "Cascadia Mono", "DejaVu Sans Mono", monospace;
  --scalar-radius: 8px;
}
.light-mode {
  --scalar-background-1: #fffdf8;
  --scalar-background-2: #f5f2ea;
  --scalar-background-3: #e9e4d8;
  --scalar-background-accent: #fbe7dd;
  --scalar-color-1: #1b191d;
  --scalar-color-2: #47434b;
  --scalar-color-3: #5d5862;
  --scalar-color-accent: #bd3a15;
  --scalar-border-color: #dcd6c8;
  --scalar-color-green: #1c6b3f;
  --scalar-color-blue: #1c5f9c;
  --scalar-color-orange: #a84a0c;
  --scalar-color-red: #b3261e;
  --scalar-color-purple: #6a3fa0;
}
.dark-mode {
  --scalar-background-1: #121114;
  --scalar-background-2: #1c1b1f;
  --scalar-background-3: #26242a;
  --scalar-background-accent: #3b2119;
  --scalar-color-1: #f3efe6;
  --scalar-color-2: #c9c3ca;
  --scalar-color-3: #aca6ae;
  --scalar-color-accent: #ff8459;
  --scalar-border-color: #38353d;
  --scalar-color-red: #ff8a80;
}
/* Blocks and lists of the reader that scroll are not reachable with the keyboard. */
pre code.custom-scroll {
  overflow: visible !important;
  white-space: pre-wrap !important;
  overflow-wrap: anywhere;
}
.endpoints,
.scalar-card-content:has(.endpoints) {
  max-height: none !important;
  overflow: visible !important;
}
.endpoint-path {
  white-space: normal !important;
  overflow-wrap: anywhere;
}
/* WCAG 2.2, criterion 2.5.8: targets have at least 24 pixels. */
[data-sidebar-id] button[aria-expanded] {
  min-width: 24px;
  min-height: 24px;
}
`;
