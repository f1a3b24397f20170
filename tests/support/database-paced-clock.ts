// Opens a clock for long durations. It advances by a step after each response of the database, so
// it stops while this process has no processor time. Simulated hours therefore depend on the
// application's work and not on the speed of the machine.
import { sql } from 'kysely';

import type { Db } from '../../src/kernel/ports/db.ts';
import { type ManualClock, manualClock, runningClock } from '../../src/kernel/time/clock.ts';
import { sqlOf } from '../../src/store/platform/db.ts';
import { atEnd } from './at-end.ts';

/** The real pause between two steps of the clock. */
const PAUSE_MS = 5;

export type DatabasePacedClock = ManualClock & {
  /**
   * Starts the clock until the end of the file. On an idle machine it runs `speed` times as fast as
   * real time.
   */
  run(speed: number): void;
};

/** Call it at the top of a test file, after its database was opened. */
export function databasePacedClock(start: number, db: Db): DatabasePacedClock {
  const clock = manualClock(start);
  let isOver = false;
  let advancing: Promise<void> | null = null;
  const advanceUntilEnd = async (stepMs: number) => {
    while (!isOver) {
      await runningClock().sleep(PAUSE_MS);
      await sql`SELECT 1`.execute(sqlOf(db));
      clock.advance(stepMs);
    }
  };
  atEnd(async () => {
    isOver = true;
    await advancing;
  });
  return {
    ...clock,
    run: (speed) => {
      advancing ??= advanceUntilEnd(PAUSE_MS * speed);
    },
  };
}
