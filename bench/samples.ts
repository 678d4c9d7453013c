/** Values of one moment of a driver's metrics, from Prometheus' text format. */
export class Samples {
  readonly #lines: readonly string[];

  constructor(text: string) {
    this.#lines = text.split('\n').filter((line) => !line.startsWith('#'));
  }

  /** Sum over all samples of a metric that carry these labels. */
  sum(name: string, labels: Readonly<Record<string, string>> = {}): number {
    const wanted = Object.entries(labels).map(([label, value]) => `${label}="${value}"`);
    return this.#lines
      .filter((line) => line.startsWith(`${name}{`) && wanted.every((label) => line.includes(label)))
      .reduce((total, line) => total + Number(line.slice(line.lastIndexOf(' '))), 0);
  }
}
