// Streams the audit log as NDJSON or CSV, oldest row first.
import type { Db } from '../kernel/ports/db.ts';
import { type ExportFormat, exportRows, mediaTypes } from '../kernel/text/export-rows.ts';
import { toWireTime } from '../kernel/time/calendar.ts';
import type { TextDownload } from '../kernel/web/operator-area.ts';
import type { AuditFilter } from '../store/operators/operator-audit.ts';
import { type AuditLine, readAllAuditLines } from './audit-log.ts';

export type { AuditFilter } from '../store/operators/operator-audit.ts';

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

/** Each chunk consists of whole lines. */
export async function* exportAuditLog(
  db: Db,
  filter: AuditFilter,
  format: ExportFormat,
): AsyncGenerator<string, void> {
  yield* exportRows(listAuditRows(db, filter), columns, format);
}

async function* listAuditRows(db: Db, filter: AuditFilter): AsyncGenerator<AuditRow, void> {
  for await (const auditLine of readAllAuditLines(db, filter)) yield valuesOf(auditLine);
}

type AuditRow = Record<(typeof columns)[number], string | object | null>;

const valuesOf = (auditLine: AuditLine): AuditRow => ({
  id: auditLine.id,
  at: toWireTime(auditLine.at),
  operator: auditLine.actor,
  operator_id: auditLine.operatorId,
  address: auditLine.address,
  action: auditLine.action,
  kind: auditLine.kind,
  subject: auditLine.subject,
  before: auditLine.before,
  after: auditLine.after,
  note: auditLine.note,
});

/** The download of one admin area. `kinds`: the kinds of objects in this area. */
export function auditDownload(db: Db, { query, format, kinds }: AuditDownload): TextDownload {
  // As on the page, an unknown kind selects all kinds.
  const selectedKinds = kinds.filter((kind) => kind === query.get('kind'));
  const filter = {
    kinds: selectedKinds.length === 0 ? kinds : selectedKinds,
    subject: query.get('subject') || null,
    from: null,
    to: null,
  };
  return {
    kind: 'file',
    name: `audit-log.${format}`,
    type: mediaTypes[format],
    text: exportAuditLog(db, filter, format),
  };
}

type AuditDownload = {
  readonly query: URLSearchParams;
  readonly format: ExportFormat;
  readonly kinds: readonly string[];
};
