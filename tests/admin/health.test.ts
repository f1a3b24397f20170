// The health page without alerts, then with the alert of a broken channel.
import { expect, test } from 'vitest';
import { evaluateAlerts } from '../../src/alerts/evaluate-alerts.ts';
import { insertChannel, markChannelBroken } from '../../src/store/notifications/channels.ts';
import { openTestAdmin } from './admin-session.ts';

const radar = await openTestAdmin();
const rules = {
  dataDir: null,
  startedAt: 0,
  zone: 'UTC',
  oldestJobMs: async () => null,
  model: null,
};

const addChannel = (id: string) =>
  insertChannel(radar.db, {
    id,
    kind: 'slack',
    name: 'Newsroom',
    secret: Buffer.from('sealed'),
    label: 'hooks.slack.com …cret',
    state: 'on',
    reason: null,
    broken_at: null,
    resumed_at: null,
    when_unsure: 'send',
    dead_letters: 0,
    arrivals: [],
    next_at: null,
    version: 1,
    created_at: radar.world.clock.now(),
  });

test('a single line states that no alert is raised', async () => {
  const browser = await radar.signIn();
  expect(await evaluateAlerts(radar.world, radar.db, rules)).toBe(0);
  const { text } = await browser.get('/admin/health');
  expect(text).toContain('No alert is raised.');
  expect(text).toContain('No channels yet.');
});

test('shows one alert for a broken channel, with its advice and its reason', async () => {
  await addChannel('chn_1');
  const at = radar.world.clock.now();
  await markChannelBroken(radar.db, 'chn_1', { reason: 'Slack 404: no_service', at });
  expect(await evaluateAlerts(radar.world, radar.db, rules)).toBe(1);
  expect(await evaluateAlerts(radar.world, radar.db, rules)).toBe(1);
  const browser = await radar.signIn();
  const { text } = await browser.get('/admin/health');
  expect(text.match(/Channel broken: Newsroom/g)).toHaveLength(1);
  expect(text).toContain('Open the channel, read the reason, and try again.');
  expect(text).toContain('Slack 404: no_service');
});
