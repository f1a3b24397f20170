import { expect, test } from 'vitest';
import { manualClock } from '../../../kernel/time/clock.ts';
import { openCircuit } from './circuit.ts';

const open = () => {
  const clock = manualClock(1_000_000);
  return { clock, circuit: openCircuit({ clock }, 'demo') };
};

test('opens for half a minute after five failures in a row', () => {
  const { clock, circuit } = open();
  for (let call = 0; call < 4; call += 1) circuit.recordFailure(10);
  expect(circuit.enter()).toBe(0);
  circuit.recordFailure(10);
  expect(circuit.enter()).toBe(30_000);
  clock.advance(29_999);
  expect(circuit.enter()).toBe(1);
});

test('a success resets the count of failures', () => {
  const { circuit } = open();
  for (let call = 0; call < 4; call += 1) circuit.recordFailure(10);
  circuit.recordSuccess(10);
  for (let call = 0; call < 4; call += 1) circuit.recordFailure(10);
  expect(circuit.enter()).toBe(0);
});

test('after the pause one call is a trial, and other calls are refused until its end', () => {
  const { clock, circuit } = open();
  for (let call = 0; call < 5; call += 1) circuit.recordFailure(10);
  clock.advance(30_000);
  expect(circuit.enter()).toBe(0);
  expect(circuit.enter()).toBeGreaterThan(0);
  circuit.recordSuccess(10);
  expect([circuit.enter(), circuit.enter()]).toEqual([0, 0]);
});

test('a failed trial opens the circuit again', () => {
  const { clock, circuit } = open();
  for (let call = 0; call < 5; call += 1) circuit.recordFailure(10);
  clock.advance(30_000);
  circuit.enter();
  circuit.recordFailure(10);
  expect(circuit.enter()).toBe(30_000);
});

test('a trial that never ends does not block other calls', () => {
  const { clock, circuit } = open();
  for (let call = 0; call < 5; call += 1) circuit.recordFailure(10);
  clock.advance(30_000);
  circuit.enter();
  clock.advance(120_000);
  expect(circuit.enter()).toBe(0);
});

test('pauses as long as the provider requires', () => {
  const { clock, circuit } = open();
  circuit.pauseFor(7_000);
  expect(circuit.enter()).toBe(7_000);
  expect(circuit.health().healthy).toBe(false);
  clock.advance(7_000);
  expect(circuit.enter()).toBe(0);
});

test('health has the numbers of calls and failures, and the latency', () => {
  const { circuit } = open();
  circuit.recordSuccess(100);
  circuit.recordFailure(200);
  expect(circuit.health()).toEqual({
    name: 'demo',
    healthy: true,
    circuit: 'closed',
    calls: 2,
    failures: 1,
    latencyMs: 120,
    lastSuccessAt: 1_000_000,
    lastFailureAt: 1_000_000,
  });
});

test('a disabled provider is not called, and has its earlier state when enabled again', () => {
  const clock = manualClock(1_000_000);
  let isOff = true;
  const circuit = openCircuit({ clock, isOff: (name) => isOff && name === 'demo' }, 'demo');
  expect(circuit.enter()).toBe(30_000);
  expect(circuit.health()).toMatchObject({ circuit: 'off', healthy: false, calls: 0 });
  isOff = false;
  expect(circuit.enter()).toBe(0);
  expect(circuit.health()).toMatchObject({ circuit: 'closed', healthy: true });
});
