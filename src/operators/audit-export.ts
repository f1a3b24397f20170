// The audit log as a file: NDJSON or CSV, oldest first, streamed.
import type { Db } from '../kernel/ports/db.ts';
import { csvOf } from '../kernel/text/csv.ts';
import { toWireTime } from '../kernel/time/calendar.ts';
import type { TextDownload } from '../kernel/web/operator-area.ts';
import type { AuditFilter } from '../store/operators/operator-audit.ts';
import { type AuditLine, allAuditLines } from './audit-log.ts';

export type { AuditFilter } from '../store/operators/operator-audit.ts';

export const auditFormats = ['ndjson', 'csv'] as const;
export type AuditFormat = (typeof auditFormats)[number];

const columns = [
  'id',
  'at',
  'operator',
  'operator_id',
  'address',
  'action',
  'kind',
  'subject',
  'before',
  'after',
  'note',
] as const;

/** Chunks of whole lines. */
export async function* exportAuditLog(
  db: Db,
  filter: AuditFilter,
  format: AuditFormat,
): AsyncGenerator<string, void> {
  if (format === 'csv') yield csvOf([columns]);
  for await (const line of allAuditLines(db, filter)) {
    const values = valuesOf(line);
    if (format === 'csv') yield csvOf([columns.map((name) => cellOf(values[name]))]);
    else yield `${JSON.stringify(values)}\n`;
  }
}

const cellOf = (value: string | object | null): string | null =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : value;

const valuesOf = (line: AuditLine): Record<(typeof columns)[number], string | object | null> => ({
  id: line.id,
  at: toWireTime(line.at),
  operator: line.actor,
  operator_id: line.operatorId,
  address: line.address,
  action: line.action,
  kind: line.kind,
  subject: line.subject,
  before: line.before,
  after: line.after,
  note: line.note,
});

/** The download of one admin area, which has its own `kinds`. */
export function auditDownload(db: Db, { query, format, kinds }: AuditDownload): TextDownload {
  const kind = query.get('kind');
  const filter = {
    kinds: kinds.filter((one) => kind === null || one === kind),
    subject: query.get('subject') || null,
    from: null,
    to: null,
  };
  return {
    kind: 'file',
    name: `audit-log.${format}`,
    type: format === 'csv' ? 'text/csv; charset=utf-8' : 'application/x-ndjson',
    text: exportAuditLog(db, filter, format),
  };
}

type AuditDownload = {
  readonly query: URLSearchParams;
  readonly format: AuditFormat;
  readonly kinds: readonly string[];
};
