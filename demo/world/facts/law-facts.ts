// Facts about courts, regulators and rumours: complaints and their outcomes.
import { requirePresent } from '../../../src/kernel/errors/assert.ts';
import { places } from '../cast.ts';
import { pick, randomBetween } from '../grammar.ts';
import { readRows } from '../read-content.ts';
import type { Facts } from '../world-model.ts';
import type { Draft, Stage } from './stage.ts';
import * as stage from './stage.ts';

const { count, percent, text } = stage;

function followUpDraft(at: Stage, more: Facts): Draft {
  return {
    product: at.earlierProduct,
    facts: { ...requirePresent(at.earlier, 'the earlier event'), ...more },
  };
}

export function lawsuit(at: Stage): Draft | null {
  const plaintiff = pick(stage.rowsOf('plaintiff'), at.random);
  const claim = pick(stage.rowsOf('claim'), at.random);
  if (!at.memory.isUnused(`suit:${at.company.id}:${plaintiff[0]}`)) return null;
  if (!at.memory.hasRested(`suit:${claim[0]}`, at.at, 15)) return null;
  const product = pick(at.company.products, at.random);
  const facts = {
    plaintiff: stage.textOf(plaintiff),
    claim: stage.textOf(claim),
    ...stage.familyOf(product),
    court: stage.textOf(pick(places.courts, at.random)),
    damages: stage.usd(stage.roundTwo(randomBetween(3, 90, at.random) * 4e6)),
  };
  return { product, facts };
}

const outcomes = [
  ['let the case proceed', '允许案件继续审理'],
  ['dismissed most of the claims', '驳回大部分请求'],
  ['ordered the company to hand over records', '责令被告交出记录'],
  ['found for the plaintiff', '判原告胜诉'],
  ['sent the matter to arbitration', '将案件移交仲裁'],
  ['granted an injunction', '颁布禁令'],
] as const;

export function ruling(at: Stage): Draft {
  return followUpDraft(at, { outcome: stage.textOf(pick(outcomes, at.random)) });
}

export function settlement(at: Stage): Draft {
  const damages = requirePresent(at.earlier?.damages, 'damages');
  const value = damages.kind === 'money' ? damages.value : 1e6;
  const share = randomBetween(4, 30, at.random) / 100;
  return followUpDraft(at, { amount: stage.usd(stage.roundTwo(value * share)) });
}

export function probe(at: Stage): Draft | null {
  const near = at.company.region === 'east' ? ['yunpuda', 'registry'] : null;
  const candidates = places.regulators.filter((regulator) => {
    const id = (regulator as unknown as { id: string }).id;
    return near === null ? !['yunpuda', 'registry'].includes(id) : near.includes(id);
  });
  const regulator = pick(candidates, at.random);
  const issue = pick(stage.rowsOf('issue'), at.random);
  if (!at.memory.isUnused(`probe:${at.company.id}`)) return null;
  if (!at.memory.hasRested(`issue:${issue[0]}`, at.at, 12)) return null;
  const product = pick(at.company.products, at.random);
  const facts = {
    regulator: stage.textOf(regulator),
    regulatorShort: text(regulator.short, regulator.zh),
    regHead: text(regulator.head, regulator.headZh),
    issue: stage.textOf(issue),
    ...stage.familyOf(product),
    deadline: count(pick([14, 21, 30, 45], at.random)),
    uni: stage.textOf(pick(places.universities, at.random)),
    court: stage.textOf(pick(places.courts, at.random)),
  };
  return { product, facts };
}

export function fine(at: Stage): Draft {
  const base = [0.4e6, 1e6, 4e6, 12e6, 40e6][at.company.size - 1] ?? 1e6;
  const amount = stage.money(at.company, base * (0.7 + at.random.next()));
  return followUpDraft(at, { amount, deadline: count(pick([60, 90, 120], at.random)) });
}

export function rule(at: Stage): Draft | null {
  const subject = pick(stage.rowsOf('subject'), at.random);
  if (!at.memory.isUnused(`rule:${subject[0]}`)) return null;
  const regulator = pick(places.regulators, at.random);
  const facts = {
    regulator: stage.textOf(regulator),
    regulatorShort: text(regulator.short, regulator.zh),
    regHead: text(regulator.head, regulator.headZh),
    subject: stage.textOf(subject),
    months: count(pick([3, 6, 9, 12, 18], at.random)),
    pct: percent(randomBetween(1, 7, at.random)),
  };
  return { product: null, facts };
}

export function rumour(at: Stage): Draft | null {
  const row = pick(stage.rowsOf('rumour-plan'), at.random);
  if (!at.memory.isUnused(`rumour:${at.company.id}:${row[0]}`)) return null;
  if (!at.memory.hasRested(`rumour:${row[0]}`, at.at, 25)) return null;
  const column = (index: number) => stage.cell(row, index);
  const denial = column(4);
  const facts = {
    plan: text(column(0), column(1)),
    planShort: text(column(2), column(1)),
    planIng: text(column(3), column(1)),
    denial: text(denial.charAt(0).toUpperCase() + denial.slice(1), column(5)),
    rumourDetail: text(column(6), column(7)),
  };
  return { product: null, facts };
}

export const denial = (at: Stage): Draft => followUpDraft(at, {});
export const confirmation = (at: Stage): Draft => followUpDraft(at, {});

const paperRows = requirePresent(readRows('topics/papers.txt').get('papers'), 'papers');

export function paper(at: Stage): Draft | null {
  const row = pick(paperRows, at.random);
  if (!at.memory.isUnused(`paper:${row[0]}`)) return null;
  const column = (index: number) => stage.cell(row, index);
  const people = [pick(stage.rowsOf('person'), at.random), pick(stage.rowsOf('person'), at.random)];
  const first = requirePresent(people[0], 'a first author');
  const second = requirePresent(people[1], 'a second author');
  if (first === second) return null;
  const authors = text(
    `${stage.cell(first, 0)} and ${stage.cell(second, 0)}`,
    `${stage.cell(first, 1)}与${stage.cell(second, 1)}`,
  );
  const facts = {
    title: text(column(0), column(0)),
    topic: text(column(1), column(5)),
    finding: text(column(2), column(6)),
    findingShort: text(column(3), column(7)),
    method: text(column(4), column(8)),
    findVerb: text(`find that ${column(3)}`, ''),
    authors,
    author1: text(stage.cell(first, 0), stage.cell(first, 1)),
    lab: text(at.company.name, at.company.zh),
    uni: stage.textOf(pick(places.universities, at.random)),
    ...benchOf(at),
  };
  return { product: null, facts };
}

function benchOf(at: Stage): Facts {
  const bench = pick(places.benchmarks, at.random);
  return { bench: stage.textOf(bench), gain: percent(randomBetween(12, 140, at.random) / 10) };
}
