// Facts about companies as businesses: money, people, deals, buildings and surveys.
import { places } from '../cast.ts';
import { pick, randomBetween } from '../grammar.ts';
import type { Company, Facts, Person, Product, Value } from '../world-model.ts';
import type { Draft, Stage } from './stage.ts';
import * as stage from './stage.ts';

const { count, percent, text } = stage;

function flagshipOf(company: Company, at: Stage): { product: Product; facts: Facts } {
  const product = pick(company.products, at.random);
  return { product, facts: stage.familyOf(product) };
}

/** A sum in proportion to the company's size; `base` is the sum for the smallest. */
function sum(at: Stage, base: number): Value {
  const scale = [1, 2, 5, 10, 22][at.company.size - 1] ?? 1;
  return stage.money(at.company, base * scale * (0.6 + at.random.next() * 1.4));
}

const rounds = [
  ['seed', '种子轮'],
  ['Series A', 'A轮'],
  ['Series B', 'B轮'],
  ['Series C', 'C轮'],
  ['Series D', 'D轮'],
  ['late-stage', 'D+轮'],
] as const;

export function funding(at: Stage): Draft | null {
  if (!at.memory.isUnused(`funding:${at.company.id}`)) return null;
  const amount = sum(at, 16e6);
  if (amount.kind !== 'money') return null;
  const times = randomBetween(5, 14, at.random);
  const first = pick(places.investors, at.random);
  const others = places.investors.filter((investor) => investor !== first);
  const round = rounds[Math.min(at.company.size + (at.random.next() < 0.4 ? 1 : 0), 5)];
  const facts = {
    amount,
    valuation: { ...amount, value: stage.roundTwo(amount.value * times) },
    round: stage.textOf(round ?? rounds[0]),
    investor: stage.textOf(first),
    investor2: stage.textOf(pick(others, at.random)),
    use: stage.drawText('use', at.random),
  };
  return { product: null, facts };
}

export function acquisition(at: Stage): Draft | null {
  const row = pick(stage.rowsOf('target'), at.random);
  if (!at.memory.isUnused(`target:${row[0]}`)) return null;
  const { product, facts } = flagshipOf(at.company, at);
  const staff = count(randomBetween(3, 60, at.random) * 4);
  return {
    product,
    facts: {
      ...facts,
      target: stage.textOf(row),
      staff,
      amount: sum(at, 22e6),
      targetWhat: text(stage.cell(row, 2), stage.cell(row, 3)),
    },
  };
}

/** Slots for the person of an event: `person`, `pe.last`, `pe.he` … */
function personSlots(person: { name: string; zh: string; she: boolean }): Facts {
  const last = person.name.split(' ').at(-1) ?? person.name;
  const east = /^[A-Z][a-z]+ [A-Z][a-z]+$/.test(person.name) && person.zh.length <= 4;
  const surname = east && !person.zh.includes('·') ? (person.name.split(' ')[0] ?? last) : last;
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

export function hire(at: Stage): Draft | null {
  const row = pick(stage.rowsOf('person'), at.random);
  if (!at.memory.isUnused(`person:${row[0]}`)) return null;
  const former = pick(at.companies, at.random);
  if (former.id === at.company.id) return null;
  const person = { name: stage.cell(row, 0), zh: stage.cell(row, 1), she: row[2] === 'f' };
  const facts = {
    ...personSlots(person),
    post: stage.drawText('post', at.random),
    former: text(former.name, former.zh),
    years: count(randomBetween(3, 14, at.random)),
  };
  return { product: null, facts };
}

export function departure(at: Stage): Draft | null {
  const remainingPeople = at.company.people.slice(1).filter((person) => !at.memory.hasLeft(person));
  const person: Person | undefined = remainingPeople[0];
  if (person === undefined) return null;
  at.memory.leave(person);
  const { product, facts } = flagshipOf(at.company, at);
  return {
    product,
    facts: {
      ...facts,
      ...personSlots({ ...person, she: person.she === true }),
      role: text(person.role ?? '', person.roleZh ?? ''),
      years: count(randomBetween(4, 15, at.random)),
    },
  };
}

export function partnership(at: Stage): Draft | null {
  const other = pick(stage.rowsOf('other'), at.random);
  const purpose = pick(stage.rowsOf('purpose'), at.random);
  if (!at.memory.isUnused(`partner:${at.company.id}:${other[0]}`)) return null;
  if (!at.memory.isUnused(`partner:${other[0]}:${purpose[0]}`)) return null;
  const { product, facts } = flagshipOf(at.company, at);
  const terms = { years: count(randomBetween(2, 7, at.random)), amount: sum(at, 6e6) };
  const parties = { other: stage.textOf(other), purpose: stage.textOf(purpose) };
  return { product, facts: { ...facts, ...parties, ...terms } };
}

export function datacentre(at: Stage): Draft | null {
  const site = pick(stage.rowsOf('site'), at.random);
  if (!at.memory.isUnused(`site:${site[0]}:${at.company.id}`)) return null;
  if (!at.memory.hasRested(`site:${site[0]}`, at.at, 30)) return null;
  const megawatts = randomBetween(3, 50, at.random) * 10;
  const facts = {
    site: stage.textOf(site),
    capacity: { kind: 'megawatts', value: megawatts } as const,
    amount: stage.money(at.company, megawatts * 8e6),
    jobs: count(randomBetween(3, 24, at.random) * 10),
  };
  return { product: null, facts };
}

export function layoffs(at: Stage): Draft | null {
  if (!at.memory.isUnused(`layoffs:${at.company.id}`)) return null;
  const { product, facts } = flagshipOf(at.company, at);
  const jobs = randomBetween(2, 20, at.random) * 10 * at.company.size;
  const division = stage.drawText('division', at.random);
  const pct = percent(randomBetween(3, 18, at.random));
  return { product, facts: { ...facts, jobs: count(jobs), pct, division } };
}

export function earnings(at: Stage): Draft | null {
  if (!at.memory.hasRested(`earnings:${at.company.id}`, at.at, 80)) return null;
  const { product, facts } = flagshipOf(at.company, at);
  const figures = {
    revenue: sum(at, 30e6),
    growth: percent(randomBetween(6, 88, at.random)),
    share: percent(randomBetween(22, 71, at.random)),
  };
  return { product, facts: { ...facts, ...figures } };
}

export function survey(at: Stage): Draft | null {
  const habitRow = pick(stage.rowsOf('habit'), at.random);
  if (!at.memory.isUnused(`habit:${habitRow[0]}`)) return null;
  const pct = randomBetween(31, 78, at.random);
  const facts = {
    habit: stage.textOf(habitRow),
    habit1: text(stage.cell(habitRow, 2), ''),
    habitShort: text(stage.cell(habitRow, 3), ''),
    group: stage.drawText('group', at.random),
    org: stage.drawText('org', at.random),
    pct: percent(pct),
    before: percent(pct - randomBetween(6, 24, at.random)),
    sample: count(randomBetween(12, 96, at.random) * 50),
  };
  return { product: null, facts };
}
