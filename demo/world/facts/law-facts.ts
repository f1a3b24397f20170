// Invents facts about courts, regulators and rumours: complaints and their outcomes.
import { requirePresent } from '../../../src/kernel/errors/assert.ts';
import { places } from '../cast.ts';
import { pick, randomBetween } from '../grammar.ts';
import { readRows } from '../read-content.ts';
import type { Facts } from '../world-model.ts';
import type { Draft, EventContext } from './event-context.ts';
import * as slotValues from './event-context.ts';

const { count, percent, text } = slotValues;

function followUpDraft(context: EventContext, extraFacts: Facts): Draft {
  return {
    product: context.earlierProduct,
    facts: { ...requirePresent(context.earlier, 'the earlier event'), ...extraFacts },
  };
}

export function lawsuit(context: EventContext): Draft | null {
  const plaintiff = pick(slotValues.rowsOf('plaintiff'), context.random);
  const claim = pick(slotValues.rowsOf('claim'), context.random);
  if (!context.memory.useOnce(`suit:${context.company.id}:${plaintiff[0]}`)) return null;
  if (!context.memory.useAfterDays(`suit:${claim[0]}`, context.at, 15)) return null;
  const product = pick(context.company.products, context.random);
  const facts = {
    plaintiff: slotValues.textOf(plaintiff),
    claim: slotValues.textOf(claim),
    ...slotValues.familyOf(product),
    court: slotValues.textOf(pick(places.courts, context.random)),
    damages: slotValues.usd(
      slotValues.roundToTwoDigits(randomBetween(3, 90, context.random) * 4e6),
    ),
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

export function ruling(context: EventContext): Draft {
  return followUpDraft(context, { outcome: slotValues.textOf(pick(outcomes, context.random)) });
}

export function settlement(context: EventContext): Draft {
  const damages = requirePresent(context.earlier?.damages, 'damages');
  const value = damages.kind === 'money' ? damages.value : 1e6;
  const share = randomBetween(4, 30, context.random) / 100;
  return followUpDraft(context, {
    amount: slotValues.usd(slotValues.roundToTwoDigits(value * share)),
  });
}

export function probe(context: EventContext): Draft | null {
  const localIds = context.company.region === 'east' ? ['yunpuda', 'registry'] : null;
  const candidates = places.regulators.filter((regulator) => {
    const id = (regulator as unknown as { id: string }).id;
    return localIds === null ? !['yunpuda', 'registry'].includes(id) : localIds.includes(id);
  });
  const regulator = pick(candidates, context.random);
  const issue = pick(slotValues.rowsOf('issue'), context.random);
  if (!context.memory.useOnce(`probe:${context.company.id}`)) return null;
  if (!context.memory.useAfterDays(`issue:${issue[0]}`, context.at, 12)) return null;
  const product = pick(context.company.products, context.random);
  const facts = {
    regulator: slotValues.textOf(regulator),
    regulatorShort: text(regulator.short, regulator.zh),
    regHead: text(regulator.head, regulator.headZh),
    issue: slotValues.textOf(issue),
    ...slotValues.familyOf(product),
    deadline: count(pick([14, 21, 30, 45], context.random)),
    uni: slotValues.textOf(pick(places.universities, context.random)),
    court: slotValues.textOf(pick(places.courts, context.random)),
  };
  return { product, facts };
}

export function fine(context: EventContext): Draft {
  const base = [0.4e6, 1e6, 4e6, 12e6, 40e6][context.company.size - 1] ?? 1e6;
  const amount = slotValues.money(context.company, base * (0.7 + context.random.next()));
  return followUpDraft(context, { amount, deadline: count(pick([60, 90, 120], context.random)) });
}

export function rule(context: EventContext): Draft | null {
  const subject = pick(slotValues.rowsOf('subject'), context.random);
  if (!context.memory.useOnce(`rule:${subject[0]}`)) return null;
  const regulator = pick(places.regulators, context.random);
  const facts = {
    regulator: slotValues.textOf(regulator),
    regulatorShort: text(regulator.short, regulator.zh),
    regHead: text(regulator.head, regulator.headZh),
    subject: slotValues.textOf(subject),
    months: count(pick([3, 6, 9, 12, 18], context.random)),
    pct: percent(randomBetween(1, 7, context.random)),
  };
  return { product: null, facts };
}

export function rumour(context: EventContext): Draft | null {
  const row = pick(slotValues.rowsOf('rumour-plan'), context.random);
  if (!context.memory.useOnce(`rumour:${context.company.id}:${row[0]}`)) return null;
  if (!context.memory.useAfterDays(`rumour:${row[0]}`, context.at, 25)) return null;
  const column = (index: number) => slotValues.cell(row, index);
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

export const denial = (context: EventContext): Draft => followUpDraft(context, {});
export const confirmation = (context: EventContext): Draft => followUpDraft(context, {});

const paperRows = requirePresent(readRows('topics/papers.txt').get('papers'), 'papers');

export function paper(context: EventContext): Draft | null {
  const row = pick(paperRows, context.random);
  if (!context.memory.useOnce(`paper:${row[0]}`)) return null;
  const column = (index: number) => slotValues.cell(row, index);
  const people = [
    pick(slotValues.rowsOf('person'), context.random),
    pick(slotValues.rowsOf('person'), context.random),
  ];
  const firstAuthor = requirePresent(people[0], 'a first author');
  const secondAuthor = requirePresent(people[1], 'a second author');
  if (firstAuthor === secondAuthor) return null;
  const authors = text(
    `${slotValues.cell(firstAuthor, 0)} and ${slotValues.cell(secondAuthor, 0)}`,
    `${slotValues.cell(firstAuthor, 1)}与${slotValues.cell(secondAuthor, 1)}`,
  );
  const facts = {
    title: text(column(0), column(0)),
    topic: text(column(1), column(5)),
    finding: text(column(2), column(6)),
    findingShort: text(column(3), column(7)),
    method: text(column(4), column(8)),
    findVerb: text(`find that ${column(3)}`, ''),
    authors,
    author1: text(slotValues.cell(firstAuthor, 0), slotValues.cell(firstAuthor, 1)),
    lab: text(context.company.name, context.company.zh),
    uni: slotValues.textOf(pick(places.universities, context.random)),
    ...benchOf(context),
  };
  return { product: null, facts };
}

function benchOf(context: EventContext): Facts {
  const bench = pick(places.benchmarks, context.random);
  return {
    bench: slotValues.textOf(bench),
    gain: percent(randomBetween(12, 140, context.random) / 10),
  };
}
