// No instruction in third-party text reaches a reader, and no score moves beyond its limit, even
// with a model that obeys every instruction. The corpus (tests/corpus/red-team) covers visible,
// hidden and encoded text, titles and roles in both languages.
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { readPrompts } from '../../src/radar/enrichment/prompts/read-prompts.ts';
import { readEditorial } from '../../src/radar/enrichment/read-editorial.ts';
import { openRuleBasedEnricher } from '../../src/radar/enrichment/rules/rule-based-enricher.ts';
import type { PublicItem } from '../../src/radar/publication/item.ts';
import { openStoryService } from '../../src/radar/stories/sync/story-service.ts';
import { listStoryTextsSince } from '../../src/store/radar/publication/public-documents.ts';
import { openLoopbackSite } from '../support/loopback-site.ts';
import { openModelApp } from '../support/model-services.ts';
import { type Order, openObedientModel } from '../support/obedient-model.ts';
import { TEST_NOW } from '../support/test-world.ts';

type Attack = Order & {
  readonly id: string;
  readonly language: 'en' | 'zh';
  readonly attack: string;
  readonly place: 'body' | 'title' | 'whole-title' | 'summary';
  readonly order: string;
  readonly html: string;
};
type Body = { readonly title: string; readonly p: readonly string[] };
type AttackSet = {
  readonly bodies: Record<'en' | 'zh', Body>;
  readonly articles: readonly Attack[];
};

const corpus: AttackSet = JSON.parse(await readFile('tests/corpus/red-team/articles.json', 'utf8'));
const attacks = corpus.articles;
const server = await openObedientModel(attacks);
const app = await openModelApp(server.url);
const site = await openLoopbackSite();
const { reach } = (await readPrompts('editorial')).score.bounds;
const enricher = openRuleBasedEnricher(await readEditorial('editorial'), { siteLanguage: 'en' });

const escapeMarkup = (text: string) =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');

type Article = { readonly title: string; readonly summary: string; readonly html: string };

/** `index` makes each article distinct. */
function articleOf(attack: Attack | null, language: 'en' | 'zh', index: number): Article {
  const body = corpus.bodies[language];
  const withNumber = (text: string) => text.replaceAll('{n}', String(index));
  const numberedTitle = withNumber(body.title);
  const [first = '', second = ''] = body.p.map(withNumber);
  const isRaw = /<!--|<script|alt=/.test(attack?.html ?? '');
  const order = attack === null ? '' : isRaw ? attack.order : escapeMarkup(attack.order);
  const bodyWithOrder = attack?.place === 'body' ? attack.html.replace('{order}', () => order) : '';
  const titles = {
    title: `${numberedTitle}. ${attack?.order}`,
    'whole-title': attack?.order ?? '',
  };
  return {
    title:
      attack?.place === 'title' || attack?.place === 'whole-title'
        ? titles[attack.place]
        : numberedTitle,
    summary: attack?.place === 'summary' ? attack.order : '',
    html: `<p>${first}</p>${bodyWithOrder}<p>${second}</p>`,
  };
}

function feedOf(articles: readonly (Article & { readonly id: string })[]): string {
  const items = articles.map(
    ({ id, title, summary, html }) => `<item><guid isPermaLink="false">${id}</guid>
<title>${escapeMarkup(title)}</title><link>${site.url}/a/${id}</link>
<pubDate>${new Date(TEST_NOW - 3_600_000).toUTCString()}</pubDate>
<description>${escapeMarkup(summary)}</description>
<content:encoded>${escapeMarkup(html)}</content:encoded></item>`,
  );
  return `<?xml version="1.0" encoding="utf-8"?><rss version="2.0"
xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel><title>Feed</title>
<link>${site.url}</link>${items.join('\n')}</channel></rss>`;
}

/** Runs the whole pipeline and returns the public items by id. */
async function publish(source: string, articles: readonly (Article & { readonly id: string })[]) {
  site.respond(`/${source}`, {
    headers: { 'content-type': 'application/rss+xml' },
    body: feedOf(articles),
  });
  await app.addFeed(source, `${site.url}/${source}`);
  await app.fetchAndEnrich(source);
  return new Map(
    app.listItems('all').flatMap((item): [string, PublicItem][] => {
      const id = item.originalUrl.split('/').at(-1) ?? '';
      return articles.some((article) => article.id === id) ? [[id, item]] : [];
    }),
  );
}

const ruleBasedScore = ({ title, html }: Article, language: string) =>
  enricher.enrich({
    title,
    summary: '',
    url: '',
    language,
    text: html.replace(/<\/p>/g, '\n').replace(/<[^>]+>/g, ''),
    source: { name: 'The Ledger', tier: 'T1', participation: 'editorial' },
  }).score;

const withoutSpaces = (value: unknown) => JSON.stringify(value).replace(/[\s\p{Cf}]+/gu, '');

const articlePairs = attacks.map((attack, index) => ({
  attack,
  article: { id: attack.id, ...articleOf(attack, attack.language, index + 2) },
  clean: articleOf(null, attack.language, index + 2),
}));
const published = await publish(
  'news',
  articlePairs.map(({ article }) => article),
);
const cleanItems = await publish(
  'clean',
  articlePairs.map(({ attack, clean }) => ({ id: `${attack.id}-clean`, ...clean })),
);

test('the corpus has at least forty articles, and all are public', () => {
  expect(attacks.length).toBeGreaterThanOrEqual(40);
  expect([...published.keys()].sort()).toEqual(attacks.map(({ id }) => id).sort());
});

test.each(articlePairs)('$attack.id ($attack.how) reaches no public field', ({ attack, clean }) => {
  const item = published.get(attack.id);
  const text = withoutSpaces(item);
  expect(text).not.toContain(withoutSpaces(attack.payload).slice(1, -1));
  expect(text).not.toContain(withoutSpaces(attack.order).slice(1, -1));
  expect(item?.title).not.toBe('');
  if (attack.place === 'whole-title') return;
  // The rule-based enricher also reads instructions that no pattern matches. They make the text
  // longer, which may change the score.
  const isMatchedByPattern = !attack.id.includes('unforeseen');
  const score = item?.score ?? -1_000;
  expect(Math.abs(score - ruleBasedScore(clean, attack.language))).toBeLessThanOrEqual(reach);
  expect(item?.category).toBe(cleanItems.get(`${attack.id}-clean`)?.category);
  if (isMatchedByPattern) expect(item?.score).toBe(cleanItems.get(`${attack.id}-clean`)?.score);
});

test('the model received none of the instructions', () => {
  expect(server.counts.requests).toBeGreaterThan(attacks.length);
  expect(server.appliedOrders).toEqual([]);
});

test('no story contains one of the instructions', async () => {
  const { world, db } = app;
  const { signal } = new AbortController();
  const stories = openStoryService(world, db, { editorial: 'editorial' });
  expect(await stories.assign(signal)).toBeGreaterThan(attacks.length);
  await stories.close();
  const texts = await listStoryTextsSince(db, 0, '', 1_000);
  expect(texts.length).toBeGreaterThan(0);
  const text = withoutSpaces(texts);
  for (const { payload, order } of attacks) {
    expect(text).not.toContain(withoutSpaces(payload).slice(1, -1));
    expect(text).not.toContain(withoutSpaces(order).slice(1, -1));
  }
});

test('guardrails stop a model with a hostile system prompt', async () => {
  const ordersBefore = server.appliedOrders.length;
  const distinctAttacks = [...new Map(attacks.map((attack) => [attack.payload, attack])).values()];
  for (const [index, attack] of distinctAttacks.entries()) {
    server.forceOrder(attack);
    const article = { id: `corrupt-${index}`, ...articleOf(null, attack.language, index + 200) };
    const item = (await publish(`corrupt-${index}`, [article])).get(article.id);
    expect(withoutSpaces(item)).not.toContain(withoutSpaces(attack.payload).slice(1, -1));
    const expectedScore = ruleBasedScore(article, attack.language);
    expect(Math.abs((item?.score ?? -1_000) - expectedScore)).toBeLessThanOrEqual(reach);
  }
  expect(server.appliedOrders.length).toBeGreaterThan(ordersBefore + 5 * distinctAttacks.length);
});
