// Invents facts about companies as businesses: money, people, deals, buildings and surveys.
import { places } from '../cast.ts';
import { pick, randomBetween } from '../grammar.ts';
import type { Company, Facts, Person, Product, Value } from '../world-model.ts';
import type { Draft, EventContext } from './event-context.ts';
import * as slotValues from './event-context.ts';

const { count, percent, text } = slotValues;

function flagshipOf(company: Company, context: EventContext): { product: Product; facts: Facts } {
  const product = pick(company.products, context.random);
  return { product, facts: slotValues.familyOf(product) };
}

/** An amount in proportion to the company's size; `base` is the amount for the smallest. */
function amountInProportion(context: EventContext, base: number): Value {
  const scale = [1, 2, 5, 10, 22][context.company.size - 1] ?? 1;
  return slotValues.money(context.company, base * scale * (0.6 + context.random.next() * 1.4));
}

const fundingRounds = [
  ['seed', '种子轮'],
  ['Series A', 'A轮'],
  ['Series B', 'B轮'],
  ['Series C', 'C轮'],
  ['Series D', 'D轮'],
  ['late-stage', 'D+轮'],
] as const;

export function funding(context: EventContext): Draft | null {
  if (!context.memory.useOnce(`funding:${context.company.id}`)) return null;
  const amount = amountInProportion(context, 16e6);
  if (amount.kind !== 'money') return null;
  const multiple = randomBetween(5, 14, context.random);
  const first = pick(places.investors, context.random);
  const otherInvestors = places.investors.filter((investor) => investor !== first);
  const round =
    fundingRounds[Math.min(context.company.size + (context.random.next() < 0.4 ? 1 : 0), 5)];
  const facts = {
    amount,
    valuation: { ...amount, value: slotValues.roundToTwoDigits(amount.value * multiple) },
    round: slotValues.textOf(round ?? fundingRounds[0]),
    investor: slotValues.textOf(first),
    investor2: slotValues.textOf(pick(otherInvestors, context.random)),
    use: slotValues.drawText('use', context.random),
  };
  return { product: null, facts };
}

export function acquisition(context: EventContext): Draft | null {
  const row = pick(slotValues.rowsOf('target'), context.random);
  if (!context.memory.useOnce(`target:${row[0]}`)) return null;
  const { product, facts } = flagshipOf(context.company, context);
  const staff = count(randomBetween(3, 60, context.random) * 4);
  return {
    product,
    facts: {
      ...facts,
      target: slotValues.textOf(row),
      staff,
      amount: amountInProportion(context, 22e6),
      targetWhat: text(slotValues.cell(row, 2), slotValues.cell(row, 3)),
    },
  };
}

/** Slots for the person of an event: `person`, `pe.last`, `pe.he` … */
function personSlots(person: { name: string; zh: string; she: boolean }): Facts {
  const last = person.name.split(' ').at(-1) ?? person.name;
  const isEastern = /^[A-Z][a-z]+ [A-Z][a-z]+$/.test(person.name) && person.zh.length <= 4;
  const surname =
    isEastern && !person.zh.includes('·') ? (person.name.split(' ')[0] ?? last) : last;
  const [he, him, his, heZh] = person.she
    ? ['she', 'her', 'her', '她']
    : ['he', 'him', 'his', '他'];
  return {
    person: text(person.name, person.zh),
    'pe.last': text(surname, person.zh),
    'pe.he': text(he ?? '', heZh ?? ''),
    'pe.He': text(he === 'she' ? 'She' : 'He', heZh ?? ''),
    'pe.him': text(him ?? '', ''),
    'pe.his': text(his ?? '', ''),
  };
}

export function hire(context: EventContext): Draft | null {
  const row = pick(slotValues.rowsOf('person'), context.random);
  if (!context.memory.useOnce(`person:${row[0]}`)) return null;
  const former = pick(context.companies, context.random);
  if (former.id === context.company.id) return null;
  const person = {
    name: slotValues.cell(row, 0),
    zh: slotValues.cell(row, 1),
    she: row[2] === 'f',
  };
  const facts = {
    ...personSlots(person),
    post: slotValues.drawText('post', context.random),
    former: text(former.name, former.zh),
    years: count(randomBetween(3, 14, context.random)),
  };
  return { product: null, facts };
}

export function departure(context: EventContext): Draft | null {
  const remainingPeople = context.company.people
    .slice(1)
    .filter((person) => !context.memory.hasDeparted(person));
  const person: Person | undefined = remainingPeople[0];
  if (person === undefined) return null;
  context.memory.recordDeparture(person);
  const { product, facts } = flagshipOf(context.company, context);
  return {
    product,
    facts: {
      ...facts,
      ...personSlots({ ...person, she: person.she === true }),
      role: text(person.role ?? '', person.roleZh ?? ''),
      years: count(randomBetween(4, 15, context.random)),
    },
  };
}

export function partnership(context: EventContext): Draft | null {
  const other = pick(slotValues.rowsOf('other'), context.random);
  const purpose = pick(slotValues.rowsOf('purpose'), context.random);
  if (!context.memory.useOnce(`partner:${context.company.id}:${other[0]}`)) return null;
  if (!context.memory.useOnce(`partner:${other[0]}:${purpose[0]}`)) return null;
  const { product, facts } = flagshipOf(context.company, context);
  const terms = {
    years: count(randomBetween(2, 7, context.random)),
    amount: amountInProportion(context, 6e6),
  };
  const parties = { other: slotValues.textOf(other), purpose: slotValues.textOf(purpose) };
  return { product, facts: { ...facts, ...parties, ...terms } };
}

export function datacentre(context: EventContext): Draft | null {
  const site = pick(slotValues.rowsOf('site'), context.random);
  if (!context.memory.useOnce(`site:${site[0]}:${context.company.id}`)) return null;
  if (!context.memory.useAfterDays(`site:${site[0]}`, context.at, 30)) return null;
  const megawatts = randomBetween(3, 50, context.random) * 10;
  const facts = {
    site: slotValues.textOf(site),
    capacity: { kind: 'megawatts', value: megawatts } as const,
    amount: slotValues.money(context.company, megawatts * 8e6),
    jobs: count(randomBetween(3, 24, context.random) * 10),
  };
  return { product: null, facts };
}

export function layoffs(context: EventContext): Draft | null {
  if (!context.memory.useOnce(`layoffs:${context.company.id}`)) return null;
  const { product, facts } = flagshipOf(context.company, context);
  const jobs = randomBetween(2, 20, context.random) * 10 * context.company.size;
  const division = slotValues.drawText('division', context.random);
  const pct = percent(randomBetween(3, 18, context.random));
  return { product, facts: { ...facts, jobs: count(jobs), pct, division } };
}

export function earnings(context: EventContext): Draft | null {
  if (!context.memory.useAfterDays(`earnings:${context.company.id}`, context.at, 80)) return null;
  const { product, facts } = flagshipOf(context.company, context);
  const figures = {
    revenue: amountInProportion(context, 30e6),
    growth: percent(randomBetween(6, 88, context.random)),
    share: percent(randomBetween(22, 71, context.random)),
  };
  return { product, facts: { ...facts, ...figures } };
}

export function survey(context: EventContext): Draft | null {
  const habitRow = pick(slotValues.rowsOf('habit'), context.random);
  if (!context.memory.useOnce(`habit:${habitRow[0]}`)) return null;
  const pct = randomBetween(31, 78, context.random);
  const facts = {
    habit: slotValues.textOf(habitRow),
    habit1: text(slotValues.cell(habitRow, 2), ''),
    habitShort: text(slotValues.cell(habitRow, 3), ''),
    group: slotValues.drawText('group', context.random),
    org: slotValues.drawText('org', context.random),
    pct: percent(pct),
    before: percent(pct - randomBetween(6, 24, context.random)),
    sample: count(randomBetween(12, 96, context.random) * 50),
  };
  return { product: null, facts };
}
