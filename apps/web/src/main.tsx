import "./styles/base.css";
import "./styles/parts.css";
import "./styles/search.css";
import "./styles/pages.css";
import { render } from "preact";
import { App } from "./app.tsx";
import { startRouting } from "./routing/router.ts";
import { startImageInput } from "./search/image-input.ts";
import { startLanguage } from "./state/language.ts";
import { loadQuota } from "./state/quota.ts";
import { loadSession } from "./state/session.ts";
import { loadSite } from "./state/site.ts";
import { startTheme } from "./state/theme.ts";

startTheme();
// The requests run in parallel: none depends on another.
void loadSite();
void loadSession();
void loadQuota();
startRouting();
startImageInput();
await startLanguage();
const container = document.getElementById("page");
if (container !== null) render(<App />, container);
