import { expect, test } from 'vitest';
import { openBufferPool } from './buffer-pool.ts';

test('released bytes are used again, and only after their release', () => {
  const pool = openBufferPool(100, 2);
  const first = pool.take(10);
  const second = pool.take(10);
  first.bytes.fill(1);
  second.bytes.fill(2);
  expect([...first.bytes]).toEqual(Array(10).fill(1));
  first.release();
  const third = pool.take(100);
  expect(third.bytes.length).toBe(100);
  expect(third.bytes.buffer).toBe(first.bytes.buffer);
  expect(third.bytes.buffer).not.toBe(second.bytes.buffer);
});

test('a second release has no effect, so two users never share bytes', () => {
  const pool = openBufferPool(100, 2);
  const first = pool.take(10);
  first.release();
  first.release();
  expect(pool.take(10).bytes.buffer).not.toBe(pool.take(10).bytes.buffer);
});

test('the pool keeps at most the given number of unused blocks', () => {
  const pool = openBufferPool(100, 1);
  const blocks = [pool.take(10), pool.take(10)];
  for (const block of blocks) block.release();
  const buffers = blocks.map(({ bytes }) => bytes.buffer);
  expect(buffers).toContain(pool.take(10).bytes.buffer);
  expect(buffers).not.toContain(pool.take(10).bytes.buffer);
});

test('a length above the block size gets bytes of its own', () => {
  const pool = openBufferPool(100, 2);
  const large = pool.take(101);
  large.release();
  expect(large.bytes.length).toBe(101);
  expect(pool.take(100).bytes.buffer).not.toBe(large.bytes.buffer);
});
