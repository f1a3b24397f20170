// The audit log of both admin areas: operator, time, action, values before and after. A change and
// its row are written in one transaction.
import type { Db } from '../kernel/ports/db.ts';
import type { World } from '../kernel/world.ts';
import { auditRows, insertAuditRow, lockForm } from '../store/operators/operator-audit.ts';
import { inTransaction } from '../store/platform/db.ts';

export type AuditEntry<Kind extends string = string> = {
  /** A verb: `pause`, `withdraw`, `merge`. */
  readonly action: string;
  /** The kind of the changed object: `source`, `account` …; each admin area defines its own. */
  readonly kind: Kind;
  readonly subject: string;
  /** Only what changed, by the names of fields. */
  readonly before: Readonly<Record<string, unknown>>;
  readonly after: Readonly<Record<string, unknown>>;
  readonly note: string | null;
};

/** Does `work` in one transaction with its row of the record; `entry` null: nothing was changed. */
export async function audited<T>(
  world: World,
  db: Db,
  actor: string,
  work: (tx: Db) => Promise<{ readonly outcome: T; readonly entry: AuditEntry | null }>,
): Promise<T> {
  return inTransaction(db, async (tx) => {
    const { outcome, entry } = await work(tx);
    if (entry !== null) {
      const [id, at] = [world.ids.next(), world.clock.now()];
      await insertAuditRow(tx, { id, at, actor, ...entry });
    }
    return outcome;
  });
}

export type AuditLine<Kind extends string = string> = AuditEntry<Kind> & {
  readonly id: string;
  readonly at: number;
  readonly actor: string;
};

/** Newest first, of these kinds; `subject` null: of every subject. */
export async function auditLines<Kind extends string>(
  db: Db,
  query: {
    readonly kinds: readonly Kind[];
    readonly subject: string | null;
    readonly limit: number;
    readonly skip: number;
  },
): Promise<readonly AuditLine<Kind>[]> {
  const rows = await auditRows(db, query);
  return rows.map(({ id, at, actor, action, kind, subject, before, after, note }) => ({
    id,
    at,
    actor,
    action,
    kind: kind as Kind,
    subject,
    before,
    after,
    note,
  }));
}

const FORMS_BACK = 100;

/**
 * Whether a form has already been applied, according to `after.form` in the audit log. It is read
 * in the transaction of the change, so only the first of several submissions succeeds.
 */
export async function wasFormSent(tx: Db, kind: string, form: string): Promise<boolean> {
  await lockForm(tx, form);
  const query = { kinds: [kind], subject: null, limit: FORMS_BACK, skip: 0 };
  return (await auditLines(tx, query)).some(({ after }) => after.form === form);
}

/** Of two states of one thing, the fields that differ. */
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
