// Metrics of a process in Prometheus format. The caller increments a plain number; all other work
// happens when the text is requested.
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';

export type Tally = { value: number };

export type Tallies = {
  /** The counter of a combination of label values, in the order of the label names. */
  of(...labelValues: readonly string[]): Tally;
};

export type MetricSample = {
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: number;
};

export type GaugeDefinition = {
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly string[];
  /** Read for every scrape. A read that fails or takes over two seconds is omitted. */
  readonly read: () => readonly MetricSample[] | Promise<readonly MetricSample[]>;
};

export type Metrics = {
  counter(name: string, help: string, labels: readonly string[]): Tallies;
  gauge(definition: GaugeDefinition): void;
  /** Prometheus text format 0.0.4. */
  text(): Promise<string>;
};

export const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

const READ_TIMEOUT_MS = 2_000;

/** A process has one instance, so every port returns the same metrics. */
export function openMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return {
    counter: (name, help, labels) => openCounterFamily(registry, name, help, labels),
    gauge: ({ name, help, labels = [], read }) => {
      new Gauge({
        name,
        help,
        labelNames: [...labels],
        registers: [registry],
        async collect() {
          this.reset();
          // A gauge without labels would be reset to 0, which would be a false value.
          if (labels.length === 0) this.remove();
          for (const sample of await readWithTimeout(read))
            this.set({ ...sample.labels }, sample.value);
        },
      });
    },
    text: () => registry.metrics(),
  };
}

function openCounterFamily(
  registry: Registry,
  name: string,
  help: string,
  labels: readonly string[],
): Tallies {
  const tallies = new Map<string, { readonly values: readonly string[]; readonly tally: Tally }>();
  new Counter({
    name,
    help,
    labelNames: [...labels],
    registers: [registry],
    collect() {
      this.reset();
      for (const { values, tally } of tallies.values()) {
        const labelValues = Object.fromEntries(
          labels.map((label, index) => [label, values[index] ?? '']),
        );
        this.inc(labelValues, tally.value);
      }
    },
  });
  return {
    of: (...values) => {
      const key = values.join('\0');
      const existing = tallies.get(key);
      if (existing !== undefined) return existing.tally;
      const tally = { value: 0 };
      tallies.set(key, { values, tally });
      return tally;
    },
  };
}

async function readWithTimeout(read: GaugeDefinition['read']): Promise<readonly MetricSample[]> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<readonly MetricSample[]>((resolve) => {
    timer = setTimeout(() => resolve([]), READ_TIMEOUT_MS);
  });
  try {
    return await Promise.race([read(), timeout]);
  } catch {
    return [];
  } finally {
    clearTimeout(timer);
  }
}
