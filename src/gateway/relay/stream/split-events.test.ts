import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openEventSplitter } from './split-events.ts';

const split = (chunks: readonly Buffer[]) => {
  const splitter = openEventSplitter(1_000);
  const events = chunks.flatMap((chunk) => splitter.feed(chunk)).map(String);
  return { events, rest: String(splitter.remainder()) };
};

test.each([
  ['\n', 'data: 1\n\n', 'data: 2\n\n'],
  ['\r\n', 'data: 1\r\n\r\n', 'data: 2\r\n\r\n'],
  ['\r', 'data: 1\r\r', 'data: 2\r\r'],
])('an empty line ends an event: %j', (_ending, first, second) => {
  const stream = Buffer.from(`${first}${second}data: 3`);
  expect(split([stream])).toEqual({ events: [first, second], rest: 'data: 3' });
});

test('any chunking gives the same bytes and the same number of events', () => {
  const text =
    ': hello\n\ndata: {"a":"ü"}\r\n\r\ndata: x\ndata: y\n\nevent: z\rdata: 1\r\rdata: end';
  const bytes = Buffer.from(text);
  fc.assert(
    fc.property(fc.array(fc.nat(bytes.length), { maxLength: 12 }), (cuts) => {
      const offsets = [0, ...cuts.toSorted((a, b) => a - b), bytes.length];
      const chunks = offsets.slice(1).map((end, index) => bytes.subarray(offsets[index], end));
      const { events, rest } = split(chunks);
      expect(events.join('') + rest).toBe(text);
      expect(events).toHaveLength(4);
    }),
    { seed: 42 },
  );
});

test('refuses an event above the maximum size', () => {
  const splitter = openEventSplitter(10);
  splitter.feed(Buffer.from('data: 1'));
  expect(() => splitter.feed(Buffer.from('2345678'))).toThrow('too long');
});
