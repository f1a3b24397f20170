// Holds the state of the industry while its events are planned. Names are not reused, and versions
// only increase.

import type { Random } from '../../../src/kernel/crypto/random.ts';
import { requirePresent } from '../../../src/kernel/errors/assert.ts';
import { DAY_MS } from '../../../src/kernel/time/durations.ts';
import { pick } from '../grammar.ts';
import { readRows } from '../read-content.ts';
import type { Company, Facts, Pair, Person, Product, Value } from '../world-model.ts';

export type Draft = { readonly product: Product | null; readonly facts: Facts };

export type EventContext = {
  readonly random: Random;
  readonly at: number;
  readonly company: Company;
  /** All companies, for rivals and former employers. */
  readonly companies: readonly Company[];
  readonly memory: PlanMemory;
  /** The facts of the preceding event. */
  readonly earlier: Facts | null;
  readonly earlierProduct: Product | null;
};

export type PlanMemory = {
  /** True on the first call with a key. */
  useOnce(key: string): boolean;
  /** True when the key was not used within `days` of `at`; then it is marked as used. */
  useAfterDays(key: string, at: number, days: number): boolean;
  versionOf(product: Product): string;
  /** Increases the product's version; null when the product has no further version. */
  raiseVersion(product: Product): string | null;
  hasDeparted(person: Person): boolean;
  recordDeparture(person: Person): void;
};

export function openMemory(): PlanMemory {
  const usedKeys = new Set<string>();
  const times = new Map<string, number[]>();
  const versions = new Map<string, string>();
  const departedPeople = new Set<string>();
  const versionOf = (product: Product) =>
    versions.get(product.id) ?? requirePresent(product.line[0], `first version of ${product.name}`);
  return {
    useOnce: (key) => !usedKeys.has(key) && usedKeys.add(key).size > 0,
    useAfterDays: (key, at, days) => {
      const usedTimes = times.get(key) ?? [];
      if (usedTimes.some((time) => Math.abs(time - at) < days * DAY_MS)) return false;
      times.set(key, [...usedTimes, at]);
      return true;
    },
    versionOf,
    raiseVersion: (product) => {
      const current = versionOf(product);
      const position = product.line.indexOf(current);
      const next = (position < 0 ? undefined : product.line[position + 1]) ?? nextVersion(current);
      if (next !== null) versions.set(product.id, next);
      return next;
    },
    hasDeparted: (person) => departedPeople.has(person.name),
    recordDeparture: (person) => void departedPeople.add(person.name),
  };
}

/** `6` is followed by `6.1`, `6.1` by `6.2`. Names such as `Mk III` have no successor. */
function nextVersion(version: string): string | null {
  const match = /^(\d+)(?:\.(\d+))?$/.exec(version);
  if (match === null) return null;
  return `${match[1]}.${Number(match[2] ?? 0) + 1}`;
}

const rows = readRows('topics/pairs.txt');
const featureRows = readRows('topics/features.txt');

/** The rows of one list of `topics/pairs.txt`. */
export function rowsOf(name: string): readonly (readonly string[])[] {
  return requirePresent(rows.get(name), `list ${name}`);
}

export function textOf(row: readonly string[] | Pair): Value {
  if (Array.isArray(row)) return text(cell(row, 0), cell(row, 1));
  return text((row as Pair).en, (row as Pair).zh);
}

export function cell(row: readonly string[], index: number): string {
  return requirePresent(row[index], `column ${index} of ${row[0]}`);
}

export function text(en: string, zh: string): Value {
  return { kind: 'text', en, zh };
}

export function drawText(list: string, random: Random): Value {
  return textOf(pick(rowsOf(list), random));
}

export const usd = (value: number): Value => ({ kind: 'money', currency: 'USD', value });
export const cny = (value: number): Value => ({ kind: 'money', currency: 'CNY', value });
export const percent = (value: number): Value => ({ kind: 'percent', value });
export const count = (value: number): Value => ({ kind: 'count', value });

/** Money in the currency of the company's accounts; `value` is in dollars. */
export function money(company: Company, value: number): Value {
  return company.region === 'east'
    ? cny(roundToTwoDigits(value * 7))
    : usd(roundToTwoDigits(value));
}

/** Two leading digits, so that both languages can state the amount exactly. */
export function roundToTwoDigits(value: number): number {
  const scale = 10 ** (Math.floor(Math.log10(value)) - 1);
  return Math.round(Math.round(value / scale) * scale * 1e6) / 1e6;
}

const featureGroups: Readonly<Record<string, string>> = {
  model: 'model',
  'small-model': 'model',
  'open-model': 'model',
  'image-model': 'image',
  'video-model': 'video',
  'speech-model': 'speech',
  'audio-model': 'speech',
  'robot-model': 'robot',
  chip: 'chip',
  robot: 'robot',
  device: 'device',
  app: 'app',
  agent: 'agent',
  tool: 'tool',
  api: 'api',
  cloud: 'api',
};

/** Three different features of this kind of product: `f1`, `f2`, `f3`. */
export function features(product: Product, context: EventContext): Facts {
  const group = requirePresent(featureGroups[product.kind], `features of ${product.kind}`);
  const list = [...requirePresent(featureRows.get(group), `features ${group}`)];
  const unused = list.filter((row) => context.memory.useOnce(`${product.id}:${row[0]}`));
  const pool = unused.length >= 3 ? unused : list;
  const facts: Record<string, Value> = {};
  for (const name of ['f1', 'f2', 'f3']) {
    const index = Math.floor(context.random.next() * pool.length);
    facts[name] = textOf(requirePresent(pool.splice(index, 1)[0], 'a feature'));
  }
  return facts;
}

export function versioned(product: Product, version: string): Value {
  return text(`${product.name} ${version}`, `${product.zh ?? product.name} ${version}`);
}

export function familyOf(product: Product): Facts {
  return { family: text(product.name, product.zh ?? product.name) };
}
