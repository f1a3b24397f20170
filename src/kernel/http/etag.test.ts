import { describe, expect, it } from 'vitest';
import { matchesIfNoneMatch, weakEtag } from './etag.ts';

const etag = 'W/"p3kQ-1_x"';

describe('weak ETags', () => {
  it('equal content has an equal tag, as text or as bytes', () => {
    expect(weakEtag('大模型')).toBe('W/"Jder5YZKsEqMnwIr34dFva"');
    expect(weakEtag('大模型')).toBe(weakEtag(Buffer.from('大模型')));
    expect(weakEtag('')).toMatch(/^W\/"[A-Za-z0-9_-]{22}"$/);
  });

  it('content that differs in one byte has another tag', () => {
    expect(weakEtag('{"items":[1]}')).not.toBe(weakEtag('{"items":[2]}'));
  });
});

describe('If-None-Match', () => {
  it.each([
    ['W/"p3kQ-1_x"', 'the tag itself'],
    ['"p3kQ-1_x"', 'the strong form of the tag, because the comparison is weak'],
    ['*', 'any'],
    [' * ', 'a star with white space'],
    ['"a", W/"p3kQ-1_x" , "b"', 'a list'],
    ['"a",W/"p3kQ-1_x"', 'a list without white space'],
    [', ,W/"p3kQ-1_x",', 'a list with empty elements (RFC 9110, 5.6.1.2)'],
    ['"one,two", "p3kQ-1_x"', 'a comma within a tag'],
    ['unquoted, W/"p3kQ-1_x"', 'the tag after a malformed element'],
    ['"open, W/"p3kQ-1_x"', 'the tag after an unterminated tag'],
    ['W/"p3kQ-1_x", "open', 'the tag before an unterminated tag'],
  ])('%s matches: %s', (header) => {
    expect(matchesIfNoneMatch(header, etag)).toBe(true);
  });

  it('does not match when the header is absent', () => {
    expect(matchesIfNoneMatch(undefined, etag)).toBe(false);
  });

  it.each([
    ['', 'an empty header'],
    ['W/"p3kQ"', 'another tag'],
    ['p3kQ-1_x', 'no quotes'],
    ['W/p3kQ-1_x', 'no quotes, weak'],
    ['w/"p3kQ-1_x"', 'a lower-case w (the standard requires an upper-case W)'],
    ['"x p3kQ-1_x"', 'a tag with the same end'],
    ['"W/"p3kQ-1_x""', 'quotes within quotes'],
    ['"a", *', 'a star within a list'],
    ['"', 'one quote'],
    [',,,', 'commas'],
  ])('%s does not match: %s', (header) => {
    expect(matchesIfNoneMatch(header, etag)).toBe(false);
  });

  it('a hostile header of 64 KiB is read in one pass', () => {
    expect(matchesIfNoneMatch('"'.repeat(65536), etag)).toBe(false);
    expect(matchesIfNoneMatch(`${'W/"a'.repeat(16384)}, ${etag}`, etag)).toBe(true);
  });
});
