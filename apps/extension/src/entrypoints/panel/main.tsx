import { render } from "preact";
import "../../styles.css";
import "../../panel/panel.css";
import { App } from "../../panel/app.tsx";
import { connectToBackground } from "../../panel/background.ts";
import { loadSceneTexts } from "../../scene-texts.ts";

const background = connectToBackground(location.hash.slice(1));
const [job, translator] = await Promise.all([background.getJob(), loadSceneTexts()]);
render(<App job={job} background={background} translator={translator} />, document.body);
