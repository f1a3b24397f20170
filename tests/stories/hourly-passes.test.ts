// The hourly passes of a running radar cluster only the last 48 hours again. Their stories are
// about as good as those of one clustering of all items.
import { expect, test } from 'vitest';
import { buildWorld } from '../../demo/world/build-world.ts';
import { evalRows } from '../../demo/world/dump-items.ts';
import { assignHourly } from '../../src/cli/eval/assign-hourly.ts';
import { assignAll } from '../../src/radar/stories/evaluation/assign-all.ts';
import { scoreAssigned } from '../../src/radar/stories/evaluation/score-clustering.ts';
import { readStoryRules } from '../../src/radar/stories/rules/read-story-rules.ts';

const now = Date.parse('2026-11-02T06:00:00Z');
/** About two weeks, so that each story leaves the last 48 hours. */
const ITEMS = 600;
/** The order of arrival and the passes may change a few stories. */
const TOLERANCE = 0.03;

test('hourly passes score about as well as one clustering of all items', async () => {
  const rules = await readStoryRules('editorial');
  const rows = evalRows(buildWorld({ seed: 4, now }), now).slice(0, ITEMS);
  const items = rows.map(({ time, cluster: _event, ...item }) => {
    return { ...item, timeMs: Date.parse(time) };
  });
  const eventOf = new Map(rows.map(({ id, cluster }) => [id, cluster]));
  const [hourly, atOnce] = [assignHourly(rules, items), assignAll(rules, items)].map((assigned) =>
    scoreAssigned(assigned.map(({ id, story }) => ({ story, cluster: eventOf.get(id) ?? id }))),
  );
  expect(hourly?.bcubed).toBeGreaterThan((atOnce?.bcubed ?? 1) - TOLERANCE);
  expect(hourly?.recall).toBeGreaterThan((atOnce?.recall ?? 1) - TOLERANCE);
});
