import { expect, it } from 'vitest';
import type { Log } from '../kernel/observability/log.ts';
import { openConnectivityLog } from './log-connectivity.ts';

const lostMessage = 'no source can be reached; check the network. All sources are retried';

function openWatch() {
  const messages: string[] = [];
  const record = (_fields: object, message: string) => {
    messages.push(message);
  };
  const log: Log = { debug: record, info: record, warn: record, error: record };
  return { messages, watch: openConnectivityLog(log) };
}

it('logs once when no source can be reached, and once when a source can be reached again', () => {
  const { messages, watch } = openWatch();
  for (const source of ['a', 'b', 'c', 'd']) watch(source, false);
  expect(messages).toEqual([]);
  for (const source of ['e', 'f', 'a', 'b']) watch(source, false);
  expect(messages).toEqual([lostMessage]);
  watch('c', true);
  watch('d', true);
  expect(messages).toEqual([lostMessage, 'sources can be reached again']);
});

it('does not log one source that fails repeatedly', () => {
  const { messages, watch } = openWatch();
  for (let fetchIndex = 0; fetchIndex < 20; fetchIndex += 1) watch('a', false);
  for (const source of ['b', 'c', 'd']) watch(source, false);
  watch('e', true);
  watch('f', false);
  expect(messages).toEqual([]);
});
