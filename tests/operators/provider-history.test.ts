// Each process reports the error rate and latency of providers. The reports are summed by hour, and
// a page shows the sums.
import { expect, test } from 'vitest';
import type { ProviderHealth } from '../../src/gateway/capabilities/capability.ts';
import {
  listProviderHours,
  openProviderReports,
} from '../../src/gateway/capabilities/provider-reports.ts';
import { until } from '../support/until.ts';
import { openTestAdmin } from './test-admin.ts';

const admin = await openTestAdmin();
const { world, db } = admin;

test('requests since the last report are added to their hour, and shown', async () => {
  const health: ProviderHealth = {
    name: 'tikhub',
    healthy: true,
    circuit: 'closed',
    lastSuccessAt: null,
    lastFailureAt: null,
    calls: 8,
    failures: 2,
    latencyMs: 150,
  };
  let currentHealth = health;
  const reports = openProviderReports(world, db, {
    node: 'a:1',
    read: () => [{ capability: 'social', health: currentHealth }],
  });
  const waitForCalls = (calls: number) =>
    until(
      async () => (await listProviderHours(db, 0)).find((hour) => hour.calls === calls) ?? null,
    );
  await waitForCalls(8);
  currentHealth = { ...health, calls: 12, failures: 2, latencyMs: 450 };
  admin.clock.advance(5_000);
  await waitForCalls(12);
  await reports.close();
  const [hour] = await listProviderHours(db, 0);
  expect(hour).toMatchObject({ calls: 12, failures: 2, latencyMs: 8 * 150 + 4 * 450 });

  const operator = await admin.signIn();
  const { text } = await operator.get('/admin/providers/history?range=7d');
  const [, textAfter = ''] = text.split('<th scope="row">social · tikhub</th>');
  const [row = ''] = textAfter.split('</tr>');
  const cells = [...row.matchAll(/>([^<\s][^<]*)</g)];
  expect(cells.map(([, cell]) => cell)).toEqual(['12', '2', '16.7 %', '250 ms']);
  expect(text).toContain('aria-label="Mean latency of social · tikhub in ms"');
});
