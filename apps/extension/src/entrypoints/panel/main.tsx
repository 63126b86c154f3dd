import { render } from "preact";
import "../../styles.css";
import "../../panel/panel.css";
import { App } from "../../panel/app.tsx";
import { background } from "../../panel/background.ts";
import { isFrame } from "../../panel/frame.ts";
import { loadSceneTexts } from "../../scene-texts.ts";

// The background may take a second to start.
render(
  <main class={isFrame ? "panel" : "panel panel-tab"} aria-busy="true">
    <div class="bar">
      <h1>Koma</h1>
    </div>
  </main>,
  document.body,
);
const [job] = await Promise.all([background.getJob(), loadSceneTexts()]);
render(<App job={job} />, document.body);
