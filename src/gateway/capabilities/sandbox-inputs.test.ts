import { expect, test } from 'vitest';
import { codes } from '../../kernel/errors/codes.ts';
import { manualClock } from '../../kernel/time/clock.ts';
import { readSandboxInput, sandboxWord } from './sandbox-inputs.ts';

const clock = manualClock(0);
const context = { world: { clock }, signal: new AbortController().signal };

test.each([
  ['sandbox:empty', 'empty'],
  ['  sandbox:upstream_error ', 'upstream_error'],
  ['https://www.douyin.com/video/sandbox:empty?x=1', 'empty'],
  ['https://www.douyin.com/video/sandbox%3Aempty/', 'empty'],
  ['a harbour', null],
  ['about sandbox:empty', null],
  ['https://example.com/?q=sandbox:empty', null],
  ['%', null],
])('the sandbox word of %o is %o', (text, word) => {
  expect(sandboxWord(text)).toBe(word);
});

// Codes that only the radar or the relay uses, and codes of failures with their own word.
const excludedCodes = [
  'invalid_cursor',
  'unauthorized',
  'forbidden',
  'headers_too_large',
  'snapshot_required',
  'source_paused',
  'relay_loop',
  'stateless_only',
  'unpriced_tool',
  'unpriced_variant',
];

test('every code of the contract’s table can be requested', async () => {
  for (const code of Object.keys(codes).filter((name) => !excludedCodes.includes(name))) {
    const result = await readSandboxInput(context, `sandbox:${code}`).catch((error) => error);
    if (code === 'insufficient_balance') {
      expect(result).toEqual({ kind: 'fails', outcome: { kind: 'insufficient' } });
    } else {
      expect(result.code ?? result.outcome.code).toBe(code);
    }
  }
});

test('sandbox:slow-3 delays the response by three seconds', async () => {
  const result = readSandboxInput(context, 'sandbox:slow-3');
  clock.advance(3_000);
  expect(await result).toEqual({ kind: 'none' });
});

test.each([
  ['402', 'insufficient'],
  ['422', 'media_unavailable'],
  ['429', 'rate_limited'],
  ['504', 'upstream_timeout'],
])('sandbox:%s selects the outcome %s', async (status, code) => {
  const result = await readSandboxInput(context, `sandbox:${status}`).catch((error) => error);
  expect(result.code ?? result.outcome.code ?? result.outcome.kind).toBe(code);
});
