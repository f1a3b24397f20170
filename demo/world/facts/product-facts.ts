// Facts about products: launches, prices, outages, rankings, vulnerabilities, discontinuations.
import { requirePresent } from '../../../src/kernel/errors/assert.ts';
import { DAY_MS } from '../../../src/kernel/time/durations.ts';
import { places } from '../cast.ts';
import { pick, randomBetween } from '../grammar.ts';
import type { Company, Facts, Product, Value } from '../world-model.ts';
import type { Draft, Stage } from './stage.ts';
import * as stage from './stage.ts';

const { count, percent, text } = stage;

type Kinds = (kind: string) => boolean;
const isModel: Kinds = (kind) => kind.endsWith('model');
const isHardware: Kinds = (kind) => ['chip', 'robot', 'device'].includes(kind);
const isHosted: Kinds = (kind) => !isHardware(kind) && kind !== 'robot-model';

function productOf(company: Company, passes: Kinds, at: Stage): Product | null {
  const candidates = company.products.filter((product) => passes(product.kind));
  return candidates.length === 0 ? null : pick(candidates, at.random);
}

function launch(at: Stage, passes: Kinds, more: (product: Product) => Facts): Draft | null {
  const product = at.earlierProduct ?? productOf(at.company, passes, at);
  if (product === null || !passes(product.kind)) return null;
  if (!at.memory.hasRested(`launch:${product.id}`, at.at, 4)) return null;
  const before = at.memory.versionOf(product);
  const version = at.memory.raise(product);
  if (version === null) return null;
  const slug = `${product.id}-${version}`.toLowerCase().replaceAll(' ', '-');
  const facts = {
    product: stage.versioned(product, version),
    prev: stage.versioned(product, before),
    slug: text(slug, slug),
    version: text(version, version),
    ...stage.familyOf(product),
    ...stage.features(product, at),
    customer: stage.textOf(pick(places.customers, at.random)),
    ...more(product),
  };
  return { product, facts };
}

const gaps = ['three months after', 'half a year after', 'ten weeks after', 'a year after'];

export function launchModel(at: Stage): Draft | null {
  return launch(at, isModel, (product) => ({
    speedup: percent(randomBetween(3, 16, at.random) * 4),
    after: text(pick(gaps, at.random), ''),
    ...(['model', 'small-model', 'open-model'].includes(product.kind)
      ? { context: contextOf(at) }
      : {}),
  }));
}

function contextOf(at: Stage): Value {
  const sizes = [128_000, 160_000, 200_000, 320_000, 400_000, 500_000, 640_000, 1_000_000];
  return { kind: 'tokens', value: pick(sizes, at.random) };
}

export function launchApp(at: Stage): Draft | null {
  const passes: Kinds = (kind) => !isModel(kind) && !isHardware(kind);
  return launch(at, passes, () => ({ users: usersOf(at.company, at) }));
}

function usersOf(company: Company, at: Stage): Value {
  const base = [8_000, 40_000, 300_000, 2_000_000, 12_000_000][company.size - 1] ?? 8_000;
  return count(stage.roundTwo(base * (1 + at.random.next() * 4)));
}

const seasons = [
  ['February', '明年二月'],
  ['March', '明年三月'],
  ['the spring', '明年春季'],
  ['early summer', '明年初夏'],
  ['next quarter', '下个季度'],
] as const;

export function launchHardware(at: Stage): Draft | null {
  return launch(at, isHardware, (product) => {
    const base = { chip: 180, robot: 220, device: 3 }[product.kind] ?? 100;
    const power = stage.roundTwo(base * (1 + at.random.next() * 3));
    return {
      gain: percent(randomBetween(4, 18, at.random) * 5),
      power: { kind: 'watts', value: Math.max(1, Math.round(power)) },
      ship: stage.textOf(pick(seasons, at.random)),
    };
  });
}

function unitOf(product: Product): Value {
  if (product.kind === 'video-model') return text('per minute of video', '每分钟视频');
  if (product.kind === 'image-model') return text('per hundred pictures', '每百张图片');
  if (product.kind === 'speech-model' || product.kind === 'audio-model') {
    return text('per hour of audio', '每小时音频');
  }
  if (product.kind === 'cloud') return text('per accelerator-hour', '每卡时');
  if (isModel(product.kind) || product.kind === 'api') {
    return text('per million tokens', '每百万词元');
  }
  return text('per user a month', '每用户每月');
}

function price(at: Stage, isCut: boolean): Draft | null {
  const product = productOf(at.company, isHosted, at);
  if (product === null || product.kind === 'open-model') return null;
  if (!at.memory.hasRested(`price:${product.id}`, at.at, 21)) return null;
  const isCheap = isModel(product.kind) || ['api', 'cloud'].includes(product.kind);
  const units = isCheap
    ? randomBetween(8, 60, at.random) / 10
    : randomBetween(2, 12, at.random) * 5;
  const share = randomBetween(isCut ? 2 : 1, isCut ? 7 : 5, at.random) * 10;
  const factor = isCut ? 1 - share / 100 : 1 + share / 100;
  const rate = at.company.region === 'east' ? 4 : 1;
  const sum = (value: number) => {
    const rounded = Math.round(value * rate * 100) / 100;
    return at.company.region === 'east' ? stage.cny(rounded) : stage.usd(rounded);
  };
  const facts = {
    product: stage.versioned(product, at.memory.versionOf(product)),
    ...stage.familyOf(product),
    old: sum(units),
    new: sum(units * factor),
    pct: percent(share),
    unit: unitOf(product),
  };
  return { product, facts };
}

export const priceCut = (at: Stage): Draft | null => price(at, true);
export const priceRise = (at: Stage): Draft | null => price(at, false);

export function outage(at: Stage): Draft | null {
  const product = productOf(at.company, (kind) => isHosted(kind) && kind !== 'open-model', at);
  if (product === null || !at.memory.hasRested(`outage:${product.id}`, at.at, 12)) return null;
  const facts = {
    ...stage.familyOf(product),
    cause: stage.drawText('cause', at.random),
    duration: { kind: 'minutes', value: randomBetween(5, 62, at.random) * 5 } as const,
    affected: percent(randomBetween(3, 18, at.random) * 5),
    customer: stage.textOf(pick(places.customers, at.random)),
  };
  return { product, facts };
}

export function postmortem(at: Stage): Draft | null {
  const earlier = requirePresent(at.earlier, 'the outage');
  const rootcause = stage.drawText('rootcause', at.random);
  const remedy = stage.drawText('remedy', at.random);
  return { product: at.earlierProduct, facts: { ...earlier, rootcause, remedy } };
}

const benchKinds: Readonly<Record<string, string>> = {
  'image-model': 'picture',
  'video-model': 'picture',
  'robot-model': 'robot',
  'speech-model': 'speech',
  'audio-model': 'speech',
};

function benchFor(product: Product, at: Stage) {
  const kind = benchKinds[product.kind] ?? 'text';
  return pick(
    places.benchmarks.filter((benchmark) => benchmark.for === kind),
    at.random,
  );
}

export function benchmark(at: Stage): Draft | null {
  const product = at.earlierProduct ?? productOf(at.company, isModel, at);
  if (product === null) return null;
  const bench = benchFor(product, at);
  const version = at.memory.versionOf(product);
  if (!at.memory.isUnused(`bench:${product.id}:${version}:${bench.en}`)) return null;
  if (!at.memory.hasRested(`bench:${bench.en}`, at.at, 6)) return null;
  const before = randomBetween(310, 780, at.random) / 10;
  const facts = {
    product: stage.versioned(product, version),
    ...stage.familyOf(product),
    bench: stage.textOf(bench),
    benchWhat: text(bench.what, bench.whatZh),
    before: percent(before),
    score: percent(Math.round((before + randomBetween(8, 70, at.random) / 10) * 10) / 10),
    uni: stage.textOf(pick(places.universities, at.random)),
  };
  return { product, facts };
}

export function security(at: Stage): Draft | null {
  const product = productOf(at.company, isHosted, at);
  const flaw = pick(stage.rowsOf('flaw'), at.random);
  if (product === null || !at.memory.isUnused(`flaw:${product.id}:${flaw[0]}`)) return null;
  if (!at.memory.hasRested(`flaw:${product.id}`, at.at, 15)) return null;
  const facts = {
    ...stage.familyOf(product),
    flaw: stage.textOf(flaw),
    impact: stage.drawText('impact', at.random),
    finder: stage.drawText('finder', at.random),
    notice: count(pick([14, 21, 30, 45, 60, 90], at.random)),
  };
  return { product, facts };
}

export function deprecation(at: Stage): Draft | null {
  const product = productOf(at.company, isHosted, at);
  if (product === null) return null;
  const current = product.line.indexOf(at.memory.versionOf(product));
  const old = product.line[current - 1];
  if (old === undefined || !at.memory.isUnused(`retire:${product.id}:${old}`)) return null;
  const notice = pick([30, 45, 60, 90, 120], at.random);
  const facts = {
    product: stage.versioned(product, old),
    ...stage.familyOf(product),
    notice: count(notice),
    pct: percent(randomBetween(2, 14, at.random)),
    end: { kind: 'day', value: at.at + notice * DAY_MS } as const,
  };
  return { product, facts };
}

export function milestone(at: Stage): Draft | null {
  const product = productOf(at.company, (kind) => ['app', 'agent', 'tool'].includes(kind), at);
  if (product === null || !at.memory.hasRested(`milestone:${product.id}`, at.at, 40)) return null;
  const facts = {
    ...stage.familyOf(product),
    users: usersOf(at.company, at),
    pct: percent(randomBetween(2, 19, at.random)),
    segment: stage.drawText('segment', at.random),
  };
  return { product, facts };
}
