import { createSecretKey, randomInt } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CursorScope, cursorLengthMax, openCursor, sealCursor } from './cursor.ts';

const secret = createSecretKey('a secret that all nodes of one radar share', 'utf8');
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

  it('are refused after any changed, lost or added character', () => {
    const check = fc.property(payloads, (payload) => {
      const token = sealCursor(secret, scope, payload);
      for (let index = 0; index <= token.length; index++) {
        for (const other of alphabet) {
          const added = token.slice(0, index) + other + token.slice(index);
          expect(openCursor(secret, scope, added)).toBeNull();
          if (index === token.length || token[index] === other) continue;
          const changed = token.slice(0, index) + other + token.slice(index + 1);
          expect(openCursor(secret, scope, changed)).toBeNull();
        }
        if (index < token.length) {
          const lost = token.slice(0, index) + token.slice(index + 1);
          expect(openCursor(secret, scope, lost)).toBeNull();
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

  it('distinguish a missing value from its spelling', () => {
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
    expect(openCursor(secret, scope, `i1.${'A'.repeat(cursorLengthMax)}`)).toBeNull();
  });

  it('are not created above the size limit', () => {
    expect(() => sealCursor(secret, scope, ['x'.repeat(800)])).toThrow('fits into a URL');
  });
});
