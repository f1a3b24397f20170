// The audit log of both admin areas. A row has the operator, the time, the action, and the values
// before and after. A change and its row are written in one transaction.
import type { Db } from '../kernel/ports/db.ts';
import type { World } from '../kernel/world.ts';
import {
  type AuditFilter,
  type AuditRow,
  insertAuditRow,
  listAuditRows,
  listAuditRowsAfter,
  lockForm,
} from '../store/operators/operator-audit.ts';
import { inTransaction } from '../store/platform/db.ts';

export type AuditEntry<Kind extends string = string> = {
  /** A verb: `pause`, `withdraw`, `merge`. */
  readonly action: string;
  /** The kind of the changed object: `source`, `account` …; each admin area defines its own. */
  readonly kind: Kind;
  readonly subject: string;
  /** Values of the changed fields, by field name. */
  readonly before: Readonly<Record<string, unknown>>;
  readonly after: Readonly<Record<string, unknown>>;
  readonly note: string | null;
};

/** The author of a change; an operator's session has this shape. */
export type AuditActor = {
  readonly name: string;
  /** Null at the shell. */
  readonly operatorId: string | null;
  /** The client's address; null at the shell. */
  readonly address: string | null;
};

/** The author of changes by the command line, where no operator is signed in. */
export const SHELL: AuditActor = { name: 'shell', operatorId: null, address: null };

/**
 * Runs `work` and stores its audit row in one transaction. `entry` null: nothing changed, so no row
 * is stored.
 */
export async function withAudit<T>(
  world: World,
  db: Db,
  { name, operatorId, address }: AuditActor,
  work: (tx: Db) => Promise<{ readonly outcome: T; readonly entry: AuditEntry | null }>,
): Promise<T> {
  return inTransaction(db, async (tx) => {
    const { outcome, entry } = await work(tx);
    if (entry !== null) {
      const [id, at] = [world.ids.next(), world.clock.now()];
      const { action, kind, subject, before, after, note } = entry;
      await insertAuditRow(tx, {
        id,
        at,
        actor: name,
        operator_id: operatorId,
        address,
        action,
        kind,
        subject,
        before,
        after,
        note,
      });
    }
    return outcome;
  });
}

export type AuditLine<Kind extends string = string> = AuditEntry<Kind> & {
  readonly id: string;
  readonly at: number;
  readonly actor: string;
  readonly operatorId: string | null;
  /** The client's address; null at the shell and for rows of earlier versions. */
  readonly address: string | null;
};

/** Rows about objects of these kinds, newest first. `subject` null: all objects. */
export async function listAuditLines<Kind extends string>(
  db: Db,
  query: {
    readonly kinds: readonly Kind[];
    readonly subject: string | null;
    readonly limit: number;
    readonly skip: number;
  },
): Promise<readonly AuditLine<Kind>[]> {
  const rows = await listAuditRows(db, query);
  return rows.map((row) => lineOf<Kind>(row));
}

const lineOf = <Kind extends string>(row: AuditRow): AuditLine<Kind> => ({
  id: row.id,
  at: row.at,
  actor: row.actor,
  operatorId: row.operator_id,
  address: row.address,
  action: row.action,
  kind: row.kind as Kind,
  subject: row.subject,
  before: row.before,
  after: row.after,
  note: row.note,
});

const BATCH_ROWS = 500;

/** Rows are read in batches, oldest first, so that an export needs little memory. */
export async function* readAllAuditLines(
  db: Db,
  filter: AuditFilter,
): AsyncGenerator<AuditLine, void> {
  let lastRow: AuditRow | null = null;
  do {
    const rows: readonly AuditRow[] = await listAuditRowsAfter(db, filter, {
      last: lastRow,
      limit: BATCH_ROWS,
    });
    for (const row of rows) yield lineOf(row);
    lastRow = rows.length < BATCH_ROWS ? null : (rows.at(-1) ?? null);
  } while (lastRow !== null);
}

const MAX_FORM_ROWS = 100;

/**
 * Whether a form was applied before. `form`: the id of the form, which an audit row has in
 * `after.form`. The transaction of the change reads the log, so only one submission succeeds.
 */
export async function wasFormApplied(tx: Db, kind: string, form: string): Promise<boolean> {
  await lockForm(tx, form);
  const query = { kinds: [kind], subject: null, limit: MAX_FORM_ROWS, skip: 0 };
  return (await listAuditLines(tx, query)).some(({ after }) => after.form === form);
}

/** The fields that differ between two states of one object. */
export function changedFields(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): Pick<AuditEntry, 'before' | 'after'> {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );
  const pick = (state: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(names.map((name) => [name, state[name] ?? null]));
  return { before: pick(before), after: pick(after) };
}
