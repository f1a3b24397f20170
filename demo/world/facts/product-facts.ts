// Invents facts about products: launches, prices, outages, rankings, vulnerabilities, ends of sale.
import { requirePresent } from '../../../src/kernel/errors/assert.ts';
import { DAY_MS } from '../../../src/kernel/time/durations.ts';
import { places } from '../cast.ts';
import { pick, randomBetween } from '../grammar.ts';
import type { Company, Facts, Product, Value } from '../world-model.ts';
import type { Draft, EventContext } from './event-context.ts';
import * as slotValues from './event-context.ts';

const { count, percent, text } = slotValues;

type KindTest = (kind: string) => boolean;
const isModel: KindTest = (kind) => kind.endsWith('model');
const isHardware: KindTest = (kind) => ['chip', 'robot', 'device'].includes(kind);
const isHosted: KindTest = (kind) => !isHardware(kind) && kind !== 'robot-model';

function productOf(company: Company, passes: KindTest, context: EventContext): Product | null {
  const candidates = company.products.filter((product) => passes(product.kind));
  return candidates.length === 0 ? null : pick(candidates, context.random);
}

function launch(
  context: EventContext,
  passes: KindTest,
  extraFacts: (product: Product) => Facts,
): Draft | null {
  const product = context.earlierProduct ?? productOf(context.company, passes, context);
  if (product === null || !passes(product.kind)) return null;
  if (!context.memory.useAfterDays(`launch:${product.id}`, context.at, 4)) return null;
  const previousVersion = context.memory.versionOf(product);
  const version = context.memory.raiseVersion(product);
  if (version === null) return null;
  const slug = `${product.id}-${version}`.toLowerCase().replaceAll(' ', '-');
  const facts = {
    product: slotValues.versioned(product, version),
    prev: slotValues.versioned(product, previousVersion),
    slug: text(slug, slug),
    version: text(version, version),
    ...slotValues.familyOf(product),
    ...slotValues.features(product, context),
    customer: slotValues.textOf(pick(places.customers, context.random)),
    ...extraFacts(product),
  };
  return { product, facts };
}

const launchGaps = ['three months after', 'half a year after', 'ten weeks after', 'a year after'];

export function launchModel(context: EventContext): Draft | null {
  return launch(context, isModel, (product) => ({
    speedup: percent(randomBetween(3, 16, context.random) * 4),
    after: text(pick(launchGaps, context.random), ''),
    ...(['model', 'small-model', 'open-model'].includes(product.kind)
      ? { context: contextOf(context) }
      : {}),
  }));
}

function contextOf(context: EventContext): Value {
  const sizes = [128_000, 160_000, 200_000, 320_000, 400_000, 500_000, 640_000, 1_000_000];
  return { kind: 'tokens', value: pick(sizes, context.random) };
}

export function launchApp(context: EventContext): Draft | null {
  const passes: KindTest = (kind) => !isModel(kind) && !isHardware(kind);
  return launch(context, passes, () => ({ users: usersOf(context.company, context) }));
}

function usersOf(company: Company, context: EventContext): Value {
  const base = [8_000, 40_000, 300_000, 2_000_000, 12_000_000][company.size - 1] ?? 8_000;
  return count(slotValues.roundToTwoDigits(base * (1 + context.random.next() * 4)));
}

const seasons = [
  ['February', '明年二月'],
  ['March', '明年三月'],
  ['the spring', '明年春季'],
  ['early summer', '明年初夏'],
  ['next quarter', '下个季度'],
] as const;

export function launchHardware(context: EventContext): Draft | null {
  return launch(context, isHardware, (product) => {
    const base = { chip: 180, robot: 220, device: 3 }[product.kind] ?? 100;
    const power = slotValues.roundToTwoDigits(base * (1 + context.random.next() * 3));
    return {
      gain: percent(randomBetween(4, 18, context.random) * 5),
      power: { kind: 'watts', value: Math.max(1, Math.round(power)) },
      ship: slotValues.textOf(pick(seasons, context.random)),
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

function price(context: EventContext, isCut: boolean): Draft | null {
  const product = productOf(context.company, isHosted, context);
  if (product === null || product.kind === 'open-model') return null;
  if (!context.memory.useAfterDays(`price:${product.id}`, context.at, 21)) return null;
  const isCheap = isModel(product.kind) || ['api', 'cloud'].includes(product.kind);
  const units = isCheap
    ? randomBetween(8, 60, context.random) / 10
    : randomBetween(2, 12, context.random) * 5;
  const share = randomBetween(isCut ? 2 : 1, isCut ? 7 : 5, context.random) * 10;
  const factor = isCut ? 1 - share / 100 : 1 + share / 100;
  const rate = context.company.region === 'east' ? 4 : 1;
  const toMoney = (value: number) => {
    const rounded = Math.round(value * rate * 100) / 100;
    return context.company.region === 'east' ? slotValues.cny(rounded) : slotValues.usd(rounded);
  };
  const facts = {
    product: slotValues.versioned(product, context.memory.versionOf(product)),
    ...slotValues.familyOf(product),
    old: toMoney(units),
    new: toMoney(units * factor),
    pct: percent(share),
    unit: unitOf(product),
  };
  return { product, facts };
}

export const priceCut = (context: EventContext): Draft | null => price(context, true);
export const priceRise = (context: EventContext): Draft | null => price(context, false);

export function outage(context: EventContext): Draft | null {
  const product = productOf(
    context.company,
    (kind) => isHosted(kind) && kind !== 'open-model',
    context,
  );
  if (product === null || !context.memory.useAfterDays(`outage:${product.id}`, context.at, 12))
    return null;
  const facts = {
    ...slotValues.familyOf(product),
    cause: slotValues.drawText('cause', context.random),
    duration: { kind: 'minutes', value: randomBetween(5, 62, context.random) * 5 } as const,
    affected: percent(randomBetween(3, 18, context.random) * 5),
    customer: slotValues.textOf(pick(places.customers, context.random)),
  };
  return { product, facts };
}

export function postmortem(context: EventContext): Draft | null {
  const earlier = requirePresent(context.earlier, 'the outage');
  const rootcause = slotValues.drawText('rootcause', context.random);
  const remedy = slotValues.drawText('remedy', context.random);
  return { product: context.earlierProduct, facts: { ...earlier, rootcause, remedy } };
}

const benchKinds: Readonly<Record<string, string>> = {
  'image-model': 'picture',
  'video-model': 'picture',
  'robot-model': 'robot',
  'speech-model': 'speech',
  'audio-model': 'speech',
};

function benchFor(product: Product, context: EventContext) {
  const kind = benchKinds[product.kind] ?? 'text';
  return pick(
    places.benchmarks.filter((benchmark) => benchmark.for === kind),
    context.random,
  );
}

export function benchmark(context: EventContext): Draft | null {
  const product = context.earlierProduct ?? productOf(context.company, isModel, context);
  if (product === null) return null;
  const bench = benchFor(product, context);
  const version = context.memory.versionOf(product);
  if (!context.memory.useOnce(`bench:${product.id}:${version}:${bench.en}`)) return null;
  if (!context.memory.useAfterDays(`bench:${bench.en}`, context.at, 6)) return null;
  const before = randomBetween(310, 780, context.random) / 10;
  const facts = {
    product: slotValues.versioned(product, version),
    ...slotValues.familyOf(product),
    bench: slotValues.textOf(bench),
    benchWhat: text(bench.what, bench.whatZh),
    before: percent(before),
    score: percent(Math.round((before + randomBetween(8, 70, context.random) / 10) * 10) / 10),
    uni: slotValues.textOf(pick(places.universities, context.random)),
  };
  return { product, facts };
}

export function security(context: EventContext): Draft | null {
  const product = productOf(context.company, isHosted, context);
  const flaw = pick(slotValues.rowsOf('flaw'), context.random);
  if (product === null || !context.memory.useOnce(`flaw:${product.id}:${flaw[0]}`)) return null;
  if (!context.memory.useAfterDays(`flaw:${product.id}`, context.at, 15)) return null;
  const facts = {
    ...slotValues.familyOf(product),
    flaw: slotValues.textOf(flaw),
    impact: slotValues.drawText('impact', context.random),
    finder: slotValues.drawText('finder', context.random),
    notice: count(pick([14, 21, 30, 45, 60, 90], context.random)),
  };
  return { product, facts };
}

export function deprecation(context: EventContext): Draft | null {
  const product = productOf(context.company, isHosted, context);
  if (product === null) return null;
  const current = product.line.indexOf(context.memory.versionOf(product));
  const oldVersion = product.line[current - 1];
  if (oldVersion === undefined || !context.memory.useOnce(`retire:${product.id}:${oldVersion}`))
    return null;
  const notice = pick([30, 45, 60, 90, 120], context.random);
  const facts = {
    product: slotValues.versioned(product, oldVersion),
    ...slotValues.familyOf(product),
    notice: count(notice),
    pct: percent(randomBetween(2, 14, context.random)),
    end: { kind: 'day', value: context.at + notice * DAY_MS } as const,
  };
  return { product, facts };
}

export function milestone(context: EventContext): Draft | null {
  const product = productOf(
    context.company,
    (kind) => ['app', 'agent', 'tool'].includes(kind),
    context,
  );
  if (product === null || !context.memory.useAfterDays(`milestone:${product.id}`, context.at, 40))
    return null;
  const facts = {
    ...slotValues.familyOf(product),
    users: usersOf(context.company, context),
    pct: percent(randomBetween(2, 19, context.random)),
    segment: slotValues.drawText('segment', context.random),
  };
  return { product, facts };
}
