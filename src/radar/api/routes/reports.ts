// The report addresses: indexes, the latest and one edition of dailies, weeklies and monthlies.
import { z } from 'zod';
import { isDay, isMonth, isWeek } from '../../../kernel/calendar.ts';
import { Fault } from '../../../kernel/fault.ts';
import { jsonAnswer } from '../answers/answer.ts';
import { cacheControl } from '../answers/cache-control.ts';
import type { ApiContext, Asked } from '../context.ts';
import { invalid, strictQuery } from '../strict-query.ts';
import { noParameters, wholeNumber } from './parameters.ts';

export type ReportKind = {
  readonly path: 'dailies' | 'weeklies' | 'monthlies';
  readonly key: 'date' | 'week' | 'month';
  readonly limitMax: number;
  readonly limitDefault: number;
  readonly indexCaching: string;
  readonly isKey: (text: string) => boolean;
  readonly keyForm: string;
};

export const reportKinds: readonly ReportKind[] = [
  {
    path: 'dailies',
    key: 'date',
    limitMax: 180,
    limitDefault: 30,
    indexCaching: cacheControl.items,
    isKey: isDay,
    keyForm: 'a calendar date, YYYY-MM-DD',
  },
  {
    path: 'weeklies',
    key: 'week',
    limitMax: 60,
    limitDefault: 12,
    indexCaching: cacheControl.reports,
    isKey: isWeek,
    keyForm: 'an ISO week, YYYY-Www',
  },
  {
    path: 'monthlies',
    key: 'month',
    limitMax: 60,
    limitDefault: 12,
    indexCaching: cacheControl.reports,
    isKey: isMonth,
    keyForm: 'a month, YYYY-MM',
  },
];

export const indexQuery = (kind: ReportKind) =>
  z.strictObject({ limit: wholeNumber(1, kind.limitMax, kind.limitDefault) });

export function answerReportIndex(kind: ReportKind, _context: ApiContext, asked: Asked) {
  strictQuery(asked.rawQuery, indexQuery(kind));
  return jsonAnswer(kind.indexCaching, { schemaVersion: 1, count: 0, items: [] });
}

export function answerLatestReport(kind: ReportKind, _context: ApiContext, asked: Asked): never {
  strictQuery(asked.rawQuery, noParameters);
  throw new Fault('not_found', `There is none of the ${kind.path} yet.`);
}

export function answerReport(kind: ReportKind, _context: ApiContext, asked: Asked): never {
  const key = asked.params[kind.key] ?? '';
  // An address with a slash at its end and nothing after it is another address, and none of ours.
  if (key === '') throw new Fault('not_found', 'There is no such address.');
  strictQuery(asked.rawQuery, noParameters);
  if (!kind.isKey(key)) throw invalid(`The path parameter "${kind.key}" must be ${kind.keyForm}.`);
  throw new Fault('not_found', `There is no report of ${key}.`);
}
