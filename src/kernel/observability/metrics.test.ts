import { expect, test } from 'vitest';
import { openMetrics } from './metrics.ts';

const linesOf = async (text: Promise<string>, prefix: string) =>
  (await text).split('\n').filter((line) => line.startsWith(prefix));

test('the text lists a counter once per combination of labels', async () => {
  const metrics = openMetrics();
  const requests = metrics.counter('radar_requests_total', 'Requests.', ['route', 'status']);
  requests.of('items', '200').value += 2;
  requests.of('items', '200').value += 1;
  requests.of('items', '304').value += 1;
  expect(await linesOf(metrics.text(), 'radar_requests_total')).toEqual([
    'radar_requests_total{route="items",status="200"} 3',
    'radar_requests_total{route="items",status="304"} 1',
  ]);
  expect(await linesOf(metrics.text(), 'radar_requests_total')).toHaveLength(2);
});

test('a gauge shows its current values and omits removed values', async () => {
  const metrics = openMetrics();
  let depths = [
    { labels: { queue: 'tick' }, value: 1 },
    { labels: { queue: 'read' }, value: 7 },
  ];
  metrics.gauge({ name: 'radar_jobs', help: 'Jobs.', labels: ['queue'], read: () => depths });
  expect(await linesOf(metrics.text(), 'radar_jobs')).toEqual([
    'radar_jobs{queue="tick"} 1',
    'radar_jobs{queue="read"} 7',
  ]);
  depths = [{ labels: { queue: 'tick' }, value: 0 }];
  expect(await linesOf(metrics.text(), 'radar_jobs')).toEqual(['radar_jobs{queue="tick"} 0']);
});

test('a failing gauge does not affect other metrics', async () => {
  const metrics = openMetrics();
  metrics.gauge({
    name: 'radar_failing',
    help: 'Failing.',
    read: () => Promise.reject(new Error('the database is unreachable')),
  });
  metrics.gauge({ name: 'radar_working', help: 'Working.', read: () => [{ value: 1 }] });
  expect(await linesOf(metrics.text(), 'radar_')).toEqual(['radar_working 1']);
});

test('measures the process itself', async () => {
  expect(await linesOf(openMetrics().text(), 'process_resident_memory_bytes')).toHaveLength(1);
});
