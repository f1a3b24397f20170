import { describe, expect, test } from 'vitest';
import { relevantRobots } from './relevant-robots.ts';

const relevant = (...lines: string[]) => relevantRobots(lines.join('\n'), 'radar').split('\n');

describe('the relevant part of robots.txt', () => {
  test('has the groups of this agent and of every agent, without comments', () => {
    expect(
      relevant(
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

  test('applies to an agent within a group of many', () => {
    expect(relevant('User-agent: a', 'User-agent: radar', 'User-agent: b', 'Disallow: /x')).toEqual(
      ['user-agent: radar', 'disallow: /x'],
    );
  });

  test('is small for any file: no repetitions, no endless lines', () => {
    const agents = Array.from({ length: 10_000 }, () => 'User-agent: *');
    const rules = Array.from({ length: 10_000 }, () => 'Disallow: /same');
    const hostileRule = `Disallow: /${'*a'.repeat(5_000)}`;
    expect(relevant(...agents, ...rules, hostileRule)).toEqual([
      'user-agent: *',
      'disallow: /same',
    ]);
  });

  test('has few wildcards and every plain rule', () => {
    const hostile = Array.from({ length: 250 }, (_, i) => `Disallow: /${i}${'*a'.repeat(990)}`);
    const relevantLines = relevant(
      'User-agent: *',
      ...hostile,
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
