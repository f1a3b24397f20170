// Checks the rules of the W3C feed validator that our feeds must meet, with a strict XML parser.
import { DOMParser, type Element } from '@xmldom/xmldom';
import { expect } from 'vitest';

export type Channel = { readonly items: readonly Element[] };

const childrenOf = (parent: Element, name: string) =>
  [...parent.childNodes].filter((node): node is Element => node.nodeName === name);

export const textOf = (parent: Element, name: string) =>
  childrenOf(parent, name)[0]?.textContent ?? null;

const rfc822 =
  /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} [+-]\d{4}$/;

/**
 * Fails when the document is not well-formed or breaks a rule; `self` is the address of the
 * document.
 */
export function parseValidRss(text: string, self: string): Channel {
  const problems: string[] = [];
  const onError = (level: string, message: string) => problems.push(`${level}: ${message}`);
  const document = new DOMParser({ onError }).parseFromString(text, 'text/xml');
  expect(problems).toEqual([]);
  const rss = document.documentElement;
  expect([rss?.nodeName, rss?.getAttribute('version')]).toEqual(['rss', '2.0']);
  const channel = rss && childrenOf(rss, 'channel')[0];
  if (!channel) throw new Error('no channel');
  for (const name of ['title', 'link', 'description']) {
    expect(textOf(channel, name)?.trim(), name).toMatch(/./);
  }
  const [atom, ...otherLinks] = childrenOf(channel, 'atom:link');
  expect([atom?.getAttribute('rel'), atom?.getAttribute('href'), otherLinks.length]).toEqual([
    'self',
    self,
    0,
  ]);
  const items = childrenOf(channel, 'item');
  const buildDate = textOf(channel, 'lastBuildDate');
  if (items.length > 0) expect(buildDate).toMatch(rfc822);
  for (const item of items) {
    expect(new URL(textOf(item, 'link') ?? '').protocol).toMatch(/^https?:$/);
    expect(textOf(item, 'pubDate')).toMatch(rfc822);
    expect(textOf(item, 'title')?.trim()).toMatch(/./);
    expect(textOf(item, 'description')).not.toMatch(/href="(?!https?:)|<script|javascript:/i);
  }
  const guids = items.map((item) => textOf(item, 'guid'));
  expect(new Set(guids).size).toBe(guids.length);
  return { items };
}
