import { expect, test } from 'vitest';
import { seededRandom } from '../crypto/random.ts';
import { openFormTokens } from './form-token.ts';

const tokens = openFormTokens({ random: seededRandom(1) }, Buffer.alloc(32, 7));

test('a token is valid for its own subject only', () => {
  const session = { kind: 'session', id: 'sess_1' } as const;
  const token = tokens.formToken(session);
  expect(tokens.isFormToken(session, token)).toBe(true);
  expect(tokens.isFormToken({ ...session, id: 'sess_2' }, token)).toBe(false);
  expect(tokens.isFormToken(session, '')).toBe(false);
});

test('a visitor cookie with a session’s id gives no token of the session', () => {
  const token = tokens.formToken({ kind: 'visitor', id: 'sess_1' });
  expect(tokens.isFormToken({ kind: 'session', id: 'sess_1' }, token)).toBe(false);
});
