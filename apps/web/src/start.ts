import "./styles/base.css";
import "./styles/parts.css";
import "./styles/search.css";
import "./styles/match.css";
import "./styles/moving.css";
import "./styles/result.css";
import "./styles/pages.css";
import { startLanguage } from "./state/language.ts";

// The texts load while the browser compiles the page.
const language = startLanguage();
void import("./main.tsx").then(async ({ showPage }) => {
  await language;
  showPage();
});
