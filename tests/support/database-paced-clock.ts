// A clock for long durations, which advances by a step whenever the database has responded. It
// stands while this process has no processor time. A test's hours therefore depend on the
// application's work, never on the machine.
import { sql } from 'kysely';
import { afterAll } from 'vitest';
import type { Db } from '../../src/kernel/ports/db.ts';
import { type ManualClock, manualClock, runningClock } from '../../src/kernel/time/clock.ts';
import { sqlOf } from '../../src/store/platform/db.ts';

/** Slightly shorter than one beat. */
const BREATH_MS = 5;

export type DatabasePacedClock = ManualClock & {
  /** From now to the end of the file, `speed` times as fast as on an idle machine. */
  run(speed: number): void;
};

/** Call it at the top of a test file, after its database was opened. */
export function databasePacedClock(start: number, db: Db): DatabasePacedClock {
  const clock = manualClock(start);
  let isOver = false;
  let beating: Promise<void> | null = null;
  const beat = async (stepMs: number) => {
    while (!isOver) {
      await runningClock().sleep(BREATH_MS);
      await sql`SELECT 1`.execute(sqlOf(db));
      clock.advance(stepMs);
    }
  };
  afterAll(async () => {
    isOver = true;
    await beating;
  });
  return {
    ...clock,
    run: (speed) => {
      beating ??= beat(BREATH_MS * speed);
    },
  };
}
