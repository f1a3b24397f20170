// Digests written by a model: every sentence cites existing reports, contradictions keep the
// rule-based text, and a withdrawal removes a model's sentences at once.
import { expect, test } from 'vitest';
import { openModelServer } from '../../demo/upstream/model/open-model-server.ts';
import { changeItem } from '../../src/radar/publication/change-item.ts';
import type { StoryBody } from '../../src/radar/publication/documents/bodies.ts';
import { rewriteDigests } from '../../src/radar/publication/documents/rewrite-digests.ts';
import { documentOf } from '../../src/radar/publication/read-model/documents.ts';
import { openModelApp } from '../support/model-services.ts';
import { openStoryPublisher } from '../support/published-stories.ts';

const server = await openModelServer({});
const app = await openModelApp(server.url);
const { world, db, publication, services } = app;
const publisher = openStoryPublisher(world, db);
await publisher.addSource({ id: 'ledger', name: 'The Ledger' });
await publisher.addSource({ id: 'wire', name: 'The Wire' });
const { signal } = new AbortController();
const rewrite = () => rewriteDigests(world, db, services.digests, signal);

async function bodyOf(story: string): Promise<StoryBody> {
  await publication.catchUp();
  const body = documentOf(publication.readModel(), 'story', story)?.body;
  if (body?.kind !== 'story') throw new Error(`${story} is not public`);
  return body;
}

const closingText = 'The harbour of Quay was closed on Monday after a crane fell into the water.';
const reopeningText = 'The port of Quay said on Tuesday that it would open again within nine days.';

test('requests a digest for a story with several reports, once per content', async () => {
  const title = 'A crane falls in Quay';
  await publisher.publish({ source: 'ledger', story: 'quay', title, text: closingText });
  expect(await rewrite()).toBe(0);
  await publisher.publish({
    source: 'wire',
    story: 'quay',
    title: 'Quay to open again',
    text: reopeningText,
  });
  expect((await bodyOf('quay')).digestBy).toBe('rules');
  expect(await rewrite()).toBe(1);
  const body = await bodyOf('quay');
  expect(body.digestBy).toBe('model');
  expect(body.digest).toBe(body.claims.map(({ text }) => text).join(' '));
  const ids = body.reports.map(({ id }) => id);
  for (const { reportIds } of body.claims) {
    expect(reportIds.length).toBeGreaterThan(0);
    expect(ids).toEqual(expect.arrayContaining([...reportIds]));
  }
  expect(await rewrite()).toBe(0);
});

test('keeps the digest while a report is processed; replaces it if the model fails', async () => {
  const bodyBefore = await bodyOf('quay');
  const text = 'The crane had been due for repair since March, the harbour master said.';
  await publisher.publish({ source: 'wire', story: 'quay', title: 'Crane was overdue', text });
  const digestBefore = await bodyOf('quay');
  expect([digestBefore.digestBy, digestBefore.digest, digestBefore.reportCount]).toEqual([
    'model',
    bodyBefore.digest,
    3,
  ]);
  server.setFault('not-json');
  expect(await rewrite()).toBe(0);
  server.setFault(null);
  expect((await bodyOf('quay')).digestBy).toBe('rules');
});

test('removes the digest with a report that it cites', async () => {
  const title = 'Quay is open';
  const text = 'Ships entered the harbour of Quay again on Friday, ten of them before noon.';
  await publisher.publish({ source: 'ledger', story: 'quay', title, text });
  expect(await rewrite()).toBe(1);
  const body = await bodyOf('quay');
  const [citedId = ''] = body.claims[0]?.reportIds ?? [];
  const action = { action: 'withdraw', actor: 'a test', note: null } as const;
  await changeItem(world, db, citedId, action);
  const bodyAfter = await bodyOf('quay');
  expect(bodyAfter.digestBy).toBe('rules');
  expect(JSON.stringify(bodyAfter)).not.toContain(citedId);
});

test('keeps contradictions in the rule-based text', async () => {
  const firstText =
    'Harrowgate AI has raised $320 million in a Series C round led by Pine Street Capital, ' +
    'the company said.';
  const secondText =
    'The robotics start-up Harrowgate AI secured $280 million in new funding, two people ' +
    'familiar with the matter said.';
  const publishReport = (source: string, title: string, text: string) =>
    publisher.publish({ source, story: 'round', title, text });
  await publishReport('ledger', 'Harrowgate AI closes a new round', firstText);
  await publishReport('wire', 'Harrowgate raises fresh money', secondText);
  const bodyBefore = await bodyOf('round');
  expect(bodyBefore.contradictions).toHaveLength(1);
  await rewrite();
  const bodyAfter = await bodyOf('round');
  expect(bodyAfter.contradictions).toEqual(bodyBefore.contradictions);
  const sharedClaims = bodyBefore.claims.filter(({ reportIds }) => reportIds.length === 2);
  expect(bodyAfter.claims).toEqual(expect.arrayContaining(sharedClaims));
});
