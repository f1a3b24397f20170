import { expect, test } from 'vitest';
import { seededRandom } from '../crypto/random.ts';
import { openFormTokens } from './form-token.ts';

const tokens = openFormTokens({ random: seededRandom(1) }, Buffer.alloc(32, 7));

test('a token is valid only for its subject', () => {
  const session = { kind: 'session', id: 'sess_1' } as const;
  const token = tokens.formToken(session);
  expect(tokens.isFormToken(session, token)).toBe(true);
  expect(tokens.isFormToken({ ...session, id: 'sess_2' }, token)).toBe(false);
  expect(tokens.isFormToken(session, '')).toBe(false);
});

test('a visitor cookie that contains a session id does not yield a token of the session', () => {
  const token = tokens.formToken({ kind: 'visitor', id: 'sess_1' });
  expect(tokens.isFormToken({ kind: 'session', id: 'sess_1' }, token)).toBe(false);
});

test('each page contains a different text of the token, and half a text is refused', () => {
  const session = { kind: 'session', id: 'sess_1' } as const;
  const texts = [tokens.formToken(session), tokens.formToken(session)];
  expect(texts[0]).not.toBe(texts[1]);
  expect(texts.map((text) => tokens.isFormToken(session, text))).toEqual([true, true]);
  const firstHalf = texts[0]?.slice(0, 43) ?? '';
  expect(tokens.isFormToken(session, firstHalf)).toBe(false);
});
