import { expect, it } from 'vitest';
import { movedClock } from '../../kernel/time/clock.ts';
import { tellSparingly } from './throttle-log.ts';

it('a complaint of many loops is told once a minute, another one at once', () => {
  const told: string[] = [];
  const clock = movedClock(0);
  const hear = tellSparingly(clock, (complaint) => told.push(complaint));
  hear('connect ECONNREFUSED 127.0.0.1:5432 (Queue: tick, Worker: 079206b2)');
  hear('connect ECONNREFUSED 127.0.0.1:5432 (Queue: read-source, Worker: 921e6e22)');
  hear('connect ECONNREFUSED 127.0.0.1:5432');
  hear('the database system is starting up (Queue: tick, Worker: 079206b2)');
  expect(told).toEqual([
    'connect ECONNREFUSED 127.0.0.1:5432',
    'the database system is starting up',
  ]);
  clock.advance(60_000);
  hear('connect ECONNREFUSED 127.0.0.1:5432');
  hear('connect ECONNREFUSED 127.0.0.1:5432');
  expect(told.slice(2)).toEqual(['connect ECONNREFUSED 127.0.0.1:5432']);
});
