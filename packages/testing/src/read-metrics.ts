/** One sample in the text format of Prometheus. */
export type MetricSample = { name: string; labels: { [name: string]: string }; value: number };

/**
 * The samples of a response of `/metrics`. The order of labels has no meaning and differs between kinds of
 * metrics.
 */
export function readMetrics(text: string): MetricSample[] {
  return text.split("\n").flatMap((line) => {
    const [, name, labels = "", value] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
    if (name === undefined) return [];
    const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)];
    return [
      {
        name,
        labels: Object.fromEntries(pairs.map(([, label = "", text = ""]) => [label, text])),
        value: Number(value),
      },
    ];
  });
}
