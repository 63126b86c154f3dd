import { type EpisodeLabel, type OperatorEpisode, SceneLabel } from "@koma/contract";
import { useState } from "preact/hooks";
import { operator } from "../api/operator.ts";
import { t } from "../state/language.ts";
import { siteText } from "../state/site-texts.ts";
import { ActionDialog } from "../ui/action-dialog.tsx";
import { Choice } from "../ui/choice.tsx";
import { Field } from "../ui/field.tsx";
import { SmallButton } from "../ui/small-button.tsx";

/** `Opening 1:02–2:32` */
export function formatPart({ label, from, to }: EpisodeLabel): string {
  return `${t(`scene.label.${label}`)} ${t("scene.range", { from, to })}`;
}

/** Adds and removes the named parts of an episode. */
export function LabelDialog(props: {
  episode: OperatorEpisode;
  name: string;
  onClose: () => void;
  onDone: (text: string) => void;
}) {
  const { episode, name, onClose } = props;
  const [labels, setLabels] = useState<readonly EpisodeLabel[]>(episode.labels ?? []);
  const [label, setLabel] = useState<SceneLabel>("opening");
  const [from, setFrom] = useState("");
  const [to, setTo] = useState("");
  const isAdding = from !== "" || to !== "";
  const work = async () => {
    const added = isAdding ? [{ label, from: parseTime(from), to: parseTime(to) }] : [];
    await operator.labelEpisode({ id: episode.id, labels: [...labels, ...added] });
    props.onDone(siteText("site.operator.saved"));
  };
  return (
    <ActionDialog
      title={siteText("site.operator.labelsLabel", { title: name })}
      action={siteText("site.operator.save")}
      work={work}
      onClose={onClose}
    >
      <p>{siteText("site.operator.labelsHint")}</p>
      {labels.map((part) => (
        <p key={`${part.label} ${part.from}`} class="part">
          <span>{formatPart(part)}</span>
          <SmallButton
            label={siteText("site.operator.removeLabel", { title: formatPart(part) })}
            onClick={() => setLabels(labels.filter((other) => other !== part))}
          >
            {siteText("site.operator.remove")}
          </SmallButton>
        </p>
      ))}
      <Choice
        label={siteText("site.operator.newLabel")}
        value={label}
        options={SceneLabel.options.map((one) => [one, t(`scene.label.${one}`)])}
        onChange={(value) => setLabel(SceneLabel.parse(value))}
      />
      <TimeField
        label={siteText("site.operator.labelFrom")}
        hint={siteText("site.operator.labelTimeHint")}
        isOptional={!isAdding}
        value={from}
        onText={setFrom}
      />
      <TimeField label={siteText("site.operator.labelTo")} isOptional={!isAdding} value={to} onText={setTo} />
    </ActionDialog>
  );
}

function TimeField(props: {
  label: string;
  hint?: string;
  isOptional: boolean;
  value: string;
  onText: (text: string) => void;
}) {
  return <Field {...props} autocomplete="off" maxLength={9} pattern={timePattern} />;
}

const timePattern = "(\\d{1,2}:)?\\d{1,3}:[0-5]\\d";

/** The seconds of `1:30` or `1:01:30`. */
function parseTime(text: string): number {
  return text.split(":").reduce((seconds, part) => seconds * 60 + Number(part), 0);
}
