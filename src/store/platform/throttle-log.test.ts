import { expect, it } from 'vitest';
import { manualClock } from '../../kernel/time/clock.ts';
import { throttleLog } from './throttle-log.ts';

it('logs a repeated message once a minute and a different message at once', () => {
  const logged: string[] = [];
  const clock = manualClock(0);
  const log = throttleLog(clock, (message) => logged.push(message));
  log('connect ECONNREFUSED 127.0.0.1:5432 (Queue: tick, Worker: 079206b2)');
  log('connect ECONNREFUSED 127.0.0.1:5432 (Queue: fetch-source, Worker: 921e6e22)');
  log('connect ECONNREFUSED 127.0.0.1:5432');
  log('the database system is starting up (Queue: tick, Worker: 079206b2)');
  expect(logged).toEqual([
    'connect ECONNREFUSED 127.0.0.1:5432',
    'the database system is starting up',
  ]);
  clock.advance(60_000);
  log('connect ECONNREFUSED 127.0.0.1:5432');
  log('connect ECONNREFUSED 127.0.0.1:5432');
  expect(logged.slice(2)).toEqual(['connect ECONNREFUSED 127.0.0.1:5432']);
});
