type Labels = Readonly<Record<string, string>>;

interface Sample {
  readonly name: string;
  readonly labels: Labels;
  readonly value: number;
}

/** Values of one moment of a driver's metrics, read from Prometheus' text format. */
export class MetricSamples {
  readonly #samples: readonly Sample[];

  constructor(text: string) {
    this.#samples = text.split('\n').flatMap((line) => sampleIn(line) ?? []);
  }

  /** Sum over all samples of a metric that carry these labels. */
  sum(name: string, wanted: Labels = {}): number {
    return this.#samples
      .filter((sample) => sample.name === name && carries(sample.labels, wanted))
      .reduce((total, { value }) => total + value, 0);
  }

  /** Labels of each sample of a metric. */
  labelsOf(name: string): readonly Labels[] {
    return this.#samples.filter((sample) => sample.name === name).map(({ labels }) => labels);
  }
}

function sampleIn(line: string): Sample | undefined {
  const [, name, labels = '', value] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
  if (name === undefined) return undefined;
  const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)];
  return {
    name,
    labels: Object.fromEntries(pairs.map(([, label = '', text = '']) => [label, text])),
    value: Number(value),
  };
}

const carries = (labels: Labels, wanted: Labels): boolean =>
  Object.entries(wanted).every(([label, text]) => labels[label] === text);
