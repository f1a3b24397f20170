// Returns the short form of a story that lists show. The summary of a document is made once and
// cached, because most lists repeat the same stories.

import { readFigures } from '../../language/read-figures.ts';
import {
  documentOf,
  type PublicDocument,
  type ReadModelDocuments,
} from '../read-model/documents.ts';
import type { StoryBody, StoryContradiction, StoryReport, StoryRevision } from './bodies.ts';

export type SummaryReport = Pick<StoryReport, 'id' | 'title' | 'sourceName' | 'at' | 'language'>;

export type StorySummary = {
  readonly id: string;
  readonly title: string;
  readonly language: string;
  /** A sentence or summary about the event; null: neither the digest nor a report has one. */
  readonly lead: string | null;
  readonly sourceCount: number;
  readonly reportCount: number;
  /** The earliest first. */
  readonly sourceNames: readonly string[];
  readonly latestAt: number;
  /** Newest first: the newest 50 reports and the cited ones. */
  readonly reports: readonly (SummaryReport & { readonly firstParty: boolean })[];
  readonly contradictions: readonly SummaryContradiction[];
  /** The newest figure that replaced an earlier one. */
  readonly revision: Omit<StoryRevision, 'reportIds'> | null;
  /** Reports with a figure that a later report replaced. */
  readonly outdatedIds: readonly string[];
};

export type SummaryContradiction = {
  readonly subject: string;
  /** Distinct values, in the order of their first statements. */
  readonly values: readonly string[];
};

const summaries = new WeakMap<PublicDocument, StorySummary>();

/** Null: not public, merged into another story, or older than the read model. */
export function storySummary(readModel: ReadModelDocuments, id: string): StorySummary | null {
  const document = documentOf(readModel, 'story', id);
  return document === null ? null : documentSummary(document);
}

/** Null: the story was merged into another one. */
export function documentSummary(document: PublicDocument<'story'>): StorySummary | null {
  const cached = summaries.get(document);
  if (cached !== undefined) return cached;
  const { body } = document;
  if (body.kind !== 'story') return null;
  const summary = summaryOf(body);
  summaries.set(document, summary);
  return summary;
}

export function summaryOf(body: StoryBody): StorySummary {
  const [revision] = body.revisions ?? [];
  return {
    id: body.id,
    title: body.title,
    language: body.language,
    lead: leadOf(body),
    sourceCount: body.sourceCount,
    reportCount: body.reportCount,
    sourceNames: body.sources.map(({ name }) => name),
    latestAt: body.latestAt,
    reports: body.reports.map(({ id, title, sourceName, at, language, firstParty }) => ({
      id,
      title,
      sourceName,
      at,
      language,
      firstParty,
    })),
    contradictions: body.contradictions.map(contradictionOf),
    revision: revision === undefined ? null : revisionOf(revision),
    // The first report of a revision states the current figure.
    outdatedIds: (body.revisions ?? []).flatMap(({ reportIds }) => reportIds.slice(1)),
  };
}

/**
 * The first sentence of the digest. Sentences about differences are the last ones in a digest. When
 * a digest has no other sentences, the lead is the newest summary in the story's language.
 */
function leadOf(body: StoryBody): string | null {
  const differences = body.contradictions.length + (body.revisions?.length ?? 0);
  const [first] = body.claims.length > differences ? body.claims : [];
  const newestReport = body.reports.find(
    ({ language, summary }) => summary !== null && language === body.language,
  );
  return first?.text ?? newestReport?.summary ?? null;
}

function contradictionOf({ subject, statements }: StoryContradiction): SummaryContradiction {
  const orderedStatements = statements.toSorted((a, b) => a.at - b.at);
  return { subject, values: groupByValue(orderedStatements).map((group) => group[0].value) };
}

/**
 * Groups statements with the same value, in the given order. A figure without a unit joins the
 * group of the same number with a unit: `320k` and `320,000 tokens` are one value.
 */
export function groupByValue<T extends { readonly value: string }>(
  statements: readonly T[],
): readonly (readonly [T, ...T[]])[] {
  const keysByUnit = new Map<string, string>();
  for (const { value } of statements) {
    const key = valueKeyOf(value);
    if (!key.startsWith(UNITLESS)) keysByUnit.set(key.slice(key.indexOf(' ')), key);
  }
  const groups = Map.groupBy(statements, ({ value }) => {
    const key = valueKeyOf(value);
    return key.startsWith(UNITLESS) ? (keysByUnit.get(key.slice(key.indexOf(' '))) ?? key) : key;
  });
  return [...groups.values()].flatMap(([first, ...rest]) => (first ? [[first, ...rest]] : []));
}

const approximationWords = /^(?:大?约|about |around |roughly |some )\s*/u;

/** The key of a figure without a unit begins with this text. */
const UNITLESS = 'count ';

/**
 * A key that equal values share: `44 percent` and `44％`, `1,200` and `1200`, `510 W` and `510瓦`,
 * `$17m` and `1700万美元`, `about 640k` and `640k`.
 */
function valueKeyOf(value: string): string {
  const folded = value.normalize('NFKC').toLowerCase().trim().replace(approximationWords, '');
  const [figure, ...otherFigures] = readFigures(folded);
  const isFigureOnly =
    figure?.start === 0 && figure.end === folded.length && otherFigures.length === 0;
  if (isFigureOnly) return `${figure.kind} ${figure.unit} ${figure.value} ${figure.bound}`;
  return folded
    .replace(/\s*(?:per ?cent|%)/g, '%')
    .replace(/(?<=\d),(?=\d{3})/g, '')
    .replace(/(?<=\p{Script=Han})\s+|\s+(?=\p{Script=Han})/gu, '')
    .replace(/\s+/g, ' ')
    .trim();
}

const revisionOf = ({ subject, previous, current, source, at }: StoryRevision) => ({
  subject,
  previous,
  current,
  source,
  at,
});
