import { createSecretKey, randomInt } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CursorScope, maxCursorLength, openCursor, sealCursor } from './cursor.ts';

const secret = createSecretKey('secret shared by all nodes of a radar', 'utf8');
const scope: CursorScope = { kind: 'i1', bound: ['selected', null, '7d', 'timeline', null] };
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-';
const seed = randomInt(2 ** 31);
const settings = { seed, numRuns: 40 };
const payloads = fc.array(fc.oneof(fc.string({ maxLength: 40 }), fc.integer(), fc.constant(null)), {
  maxLength: 5,
});

describe(`cursors (seed ${seed})`, () => {
  it('are URL-safe and return their content', () => {
    const check = fc.property(payloads, (payload) => {
      const token = sealCursor(secret, scope, payload);
      expect(token).toMatch(/^i1\.[A-Za-z0-9._-]+$/);
      expect(openCursor(secret, scope, token)).toEqual(payload);
    });
    fc.assert(check, settings);
  });

  it('are refused when a character was changed, removed or added', () => {
    const check = fc.property(payloads, (payload) => {
      const token = sealCursor(secret, scope, payload);
      for (let index = 0; index <= token.length; index++) {
        for (const otherLetter of alphabet) {
          const longerToken = token.slice(0, index) + otherLetter + token.slice(index);
          expect(openCursor(secret, scope, longerToken)).toBeNull();
          if (index === token.length || token[index] === otherLetter) continue;
          const changedToken = token.slice(0, index) + otherLetter + token.slice(index + 1);
          expect(openCursor(secret, scope, changedToken)).toBeNull();
        }
        if (index < token.length) {
          const shorterToken = token.slice(0, index) + token.slice(index + 1);
          expect(openCursor(secret, scope, shorterToken)).toBeNull();
        }
      }
    });
    fc.assert(check, { ...settings, numRuns: 5 });
  });

  it('are refused for another request, another purpose and another radar', () => {
    const token = sealCursor(secret, scope, [1763568252318, '0192f7a4']);
    for (const [index] of scope.bound.entries()) {
      const bound = scope.bound.with(index, 'other');
      expect(openCursor(secret, { ...scope, bound }, token)).toBeNull();
    }
    expect(openCursor(secret, { ...scope, kind: 'i2' }, token)).toBeNull();
    expect(openCursor(secret, { ...scope, bound: scope.bound.slice(1) }, token)).toBeNull();
    expect(openCursor(createSecretKey('another secret', 'utf8'), scope, token)).toBeNull();
  });

  it('distinguish null from the text "null"', () => {
    const token = sealCursor(secret, { kind: 'i1', bound: [null] }, []);
    expect(openCursor(secret, { kind: 'i1', bound: ['null'] }, token)).toBeNull();
    expect(openCursor(secret, { kind: 'i1', bound: [''] }, token)).toBeNull();
  });

  it('are refused when they are not tokens', () => {
    const check = fc.property(fc.string({ maxLength: 60 }), (text) => {
      expect(openCursor(secret, scope, text)).toBeNull();
      expect(openCursor(secret, scope, `i1.${text}`)).toBeNull();
    });
    fc.assert(check, settings);
    expect(openCursor(secret, scope, `i1.${'A'.repeat(maxCursorLength)}`)).toBeNull();
  });

  it('are not created above the size limit', () => {
    expect(() => sealCursor(secret, scope, ['x'.repeat(800)])).toThrow('fits into a URL');
  });
});
