// Writes the demonstration world as JSONL for `radar eval stories`. The true clusters are written
// to another file. Run: bin/node24 demo/dump.ts --now <time> --out <file> [--seed n] [--items n]
// [--truth <file>]
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { parseWireTime } from '../src/kernel/time/calendar.ts';
import { buildWorld } from './world/build-world.ts';
import { evalRows } from './world/dump-items.ts';
import { truthOf } from './world/expected-stories.ts';

const { values } = parseArgs({
  options: {
    now: { type: 'string' },
    out: { type: 'string' },
    seed: { type: 'string', default: '1' },
    items: { type: 'string' },
    truth: { type: 'string' },
  },
});

const now = values.now === undefined ? null : parseWireTime(values.now);
if (now === null || values.out === undefined) {
  const usage = 'demo/dump.ts --now <RFC 3339 time> --out <file> [--seed] [--items] [--truth]';
  process.stderr.write(`usage: ${usage}
`);
  process.exit(2);
}
const items = values.items === undefined ? undefined : Number(values.items);
const world = buildWorld({ seed: Number(values.seed), now, items });
const rows = evalRows(world, now);
writeFileSync(values.out, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
if (values.truth !== undefined) {
  writeFileSync(values.truth, `${JSON.stringify(truthOf(world), null, 1)}\n`);
}
const clusters = new Set(rows.map((row) => row.cluster)).size;
process.stdout.write(`${rows.length} items of ${clusters} events written to ${values.out}\n`);
