// Exports all data of an account as lines of JSON: a first line about the export, one line for each
// row, and a last line. The last line has the number of rows, so that a broken download is
// recognized.
import type { Db } from '../../kernel/ports/db.ts';
import { toWireTime } from '../../kernel/time/calendar.ts';
import type { World } from '../../kernel/world.ts';
import {
  type AccountDataRow,
  accountDataTables,
  readAccountData,
} from '../../store/accounts/account-data.ts';
import { takeAttempt } from '../../store/operators/sign-in-attempts.ts';
import type { EventOrigin } from './security-events.ts';
import type { SecurityLog } from './security-log.ts';

/**
 * Limit per account: three at once, then one in twenty minutes, because each download reads all
 * rows.
 */
const DOWNLOAD_RATE = { perSecond: 1 / 1_200, burst: 3 };
const BATCH_ROWS = 500;

export type DataDownload =
  /** Chunks of whole lines, which are read from the database while they are sent. */
  | { readonly kind: 'ready'; readonly text: AsyncIterable<string> }
  | { readonly kind: 'too_many'; readonly waitMs: number };

/** Also records the download in the security log. */
export async function downloadData(
  world: World,
  db: Db,
  securityLog: SecurityLog,
  owner: { readonly accountId: string; readonly origin: EventOrigin },
): Promise<DataDownload> {
  const { accountId } = owner;
  const now = world.clock.now();
  const { isAllowed, waitMs } = await takeAttempt(
    db,
    now,
    `download of ${accountId}`,
    DOWNLOAD_RATE,
  );
  if (!isAllowed) return { kind: 'too_many', waitMs };
  await securityLog.append(db, owner, { kind: 'data_downloaded', subject: null });
  return { kind: 'ready', text: readLines(db, { accountId, now }) };
}

async function* readLines(
  db: Db,
  { accountId, now }: { readonly accountId: string; readonly now: number },
): AsyncGenerator<string, void> {
  const head = {
    format: 1,
    account: accountId,
    created_at: toWireTime(now),
    currency_unit: '1e-8',
  };
  yield `${JSON.stringify(head)}\n`;
  let count = 0;
  for (const table of accountDataTables) {
    let lastPlace: readonly string[] | null = null;
    do {
      const rows: readonly AccountDataRow[] = await readAccountData(
        db,
        { table, accountId },
        { last: lastPlace, limit: BATCH_ROWS },
      );
      if (rows.length > 0) {
        yield rows.map(({ row }) => `{"table":"${table.name}","row":${row}}\n`).join('');
      }
      count += rows.length;
      lastPlace = rows.length < BATCH_ROWS ? null : (rows.at(-1)?.place ?? null);
    } while (lastPlace !== null);
  }
  yield `${JSON.stringify({ end: true, rows: count })}\n`;
}
