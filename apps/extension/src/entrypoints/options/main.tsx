import { render } from "preact";
import "../../styles.css";
import "../../options/options.css";
import { OptionsForm } from "../../options/options-form.tsx";
import { loadSceneTexts } from "../../scene-texts.ts";
import { readSettings } from "../../settings.ts";
import { text } from "../../texts.ts";

const [saved] = await Promise.all([readSettings(), loadSceneTexts()]);
document.title = text("optionsTitle");
render(<OptionsForm saved={saved} />, document.body);
