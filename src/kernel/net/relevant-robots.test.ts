import { describe, expect, test } from 'vitest';
import { relevantRobots } from './relevant-robots.ts';

const relevantFor = (...lines: string[]) => relevantRobots(lines.join('\n'), 'radar').split('\n');

describe('the relevant part of robots.txt', () => {
  test('contains the groups of this agent and of "*", without comments', () => {
    expect(
      relevantFor(
        '# hello',
        'User-agent: other',
        'Disallow: /',
        '',
        'USER-AGENT : Radar/2.0 # us',
        'Disallow: /private # not here',
        'Sitemap: https://example.com/s.xml',
        'Crawl-delay: 2',
        'User-agent: another',
        'User-agent: *',
        'Allow: /a',
        'Disallow:',
      ),
    ).toEqual([
      'user-agent: radar',
      'disallow: /private',
      'crawl-delay: 2',
      'user-agent: *',
      'allow: /a',
      'disallow: ',
    ]);
  });

  test('contains a group that names this agent and other agents', () => {
    expect(
      relevantFor('User-agent: a', 'User-agent: radar', 'User-agent: b', 'Disallow: /x'),
    ).toEqual(['user-agent: radar', 'disallow: /x']);
  });

  test('is small for any file, because repetitions and long lines are dropped', () => {
    const agents = Array.from({ length: 10_000 }, () => 'User-agent: *');
    const rules = Array.from({ length: 10_000 }, () => 'Disallow: /same');
    const hostileRule = `Disallow: /${'*a'.repeat(5_000)}`;
    expect(relevantFor(...agents, ...rules, hostileRule)).toEqual([
      'user-agent: *',
      'disallow: /same',
    ]);
  });

  test('contains few wildcards and all plain rules', () => {
    const hostileFile = Array.from(
      { length: 250 },
      (_, index) => `Disallow: /${index}${'*a'.repeat(990)}`,
    );
    const relevantLines = relevantFor(
      'User-agent: *',
      ...hostileFile,
      'Disallow: /plain',
      'Disallow: /*.pdf',
    );
    expect(relevantLines.join('\n').length).toBeLessThan(21_000);
    expect(relevantLines.at(-1)).toBe('disallow: /plain');
  });

  test.each(['', '<!doctype html><title>Not found</title>', '\0\xff: :', ':', 'User-agent'])(
    'of %j is empty',
    (text) => expect(relevantRobots(text, 'radar')).toBe(''),
  );
});
