// `npm run proof -- growth`: a ledger of a million calls, or of the number in GROWTH_CALLS.
// Audits, console pages, and the export of old months reach their goals.
import { expect, test } from 'vitest';
import { benchGrowth } from '../../bench/growth.ts';
import { meetsGoal, rowAsLine } from '../../bench/row.ts';

test.runIf(process.env.RADAR_NAMED_PROOFS === 'yes')(
  'the work of an audit and of a page does not grow with the ledger',
  async () => {
    const calls = process.env.GROWTH_CALLS ?? '1000000';
    const rows = await benchGrowth({
      selected: [calls],
      report: (row) => process.stdout.write(`${rowAsLine(row)}\n`),
    });
    expect(rows.filter((row) => !meetsGoal(row)).map(({ name }) => name)).toEqual([]);
  },
  3_600_000,
);
