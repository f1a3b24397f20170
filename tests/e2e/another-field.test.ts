// The radar serves another field with another editorial folder. A radar on `examples/law` fetches,
// enriches and serves with its own categories; the program does not change.
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readPrompts } from '../../src/radar/enrichment/prompts/read-prompts.ts';
import { readEditorial } from '../../src/radar/enrichment/read-editorial.ts';
import { freePort } from '../support/free-port.ts';
import { openLoopbackSite, rssOf } from '../support/loopback-site.ts';
import { runRadarCommand, startServing, temporaryDataDir } from '../support/radar-process.ts';
import { until } from '../support/until.ts';

const news = [
  [
    'rulings',
    'Supreme Court strikes down fee rule for patent appeals',
    'The Supreme Court ruled on 4 June that the fee rule for appeals has no basis in ' +
      'the statute. Judges below had split on the question for three years.',
  ],
  [
    'legislation',
    'Parliament passes bill on electronic signatures',
    'Parliament passed the bill on electronic signatures by 310 votes to 88. The act ' +
      'takes effect on 1 January and repeals the older regulation.',
  ],
  [
    'enforcement',
    'Regulator fines Corvid Bank £42 million over records',
    'The regulator fined Corvid Bank £42 million because it kept no records of 1,800 ' +
      'calls. The bank settled the investigation early.',
  ],
  [
    'practice',
    'Law firm Marsh & Oak hires eleven partners from a rival',
    'The law firm hires eleven partners from a rival in Leeds. The lawyers bring a ' +
      'team of forty with them.',
  ],
  [
    'commentary',
    'Why the settlement leaves the main question open',
    'The settlement ends the lawsuit, and it leaves open whether the statute reaches ' +
      'beyond the border. An essay by a former judge.',
  ],
] as const;

test('the editorial folder is complete', async () => {
  const { categories } = await readEditorial('examples/law');
  expect(categories.map(({ id }) => id)).toEqual(news.map(([category]) => category));
  const { score, write } = await readPrompts('examples/law');
  expect(score.system).toContain('You work for a radar of legal news.');
  expect(write.system).not.toContain('artificial intelligence');
});

test('a radar with the editorial folder of another field publishes in its categories', async () => {
  const site = await openLoopbackSite();
  const publishedAt = Date.now() - 3_600_000;
  const entries = news.map(([id, title, text]) => ({
    id,
    title,
    text: `${text} ${text}`,
    at: publishedAt,
    link: `${site.url}/${id}`,
  }));
  site.respond('/feed', {
    headers: { 'content-type': 'application/rss+xml' },
    body: rssOf('The Docket', entries),
  });
  const dataDir = temporaryDataDir();
  const config = join(dataDir, 'radar.config.json');
  const network = { privateHosts: [site.host], politenessMs: 0 };
  await writeFile(config, JSON.stringify({ editorial: 'examples/law', network }));
  const environment = { DATA_DIR: dataDir, RADAR_CONFIG: config };
  const serving = await startServing(environment, ['--only', 'radar,worker']);
  const addCommand = ['source', 'add', `${site.url}/feed`, '--tier', 'T1', '--wait'];
  expect(await runRadarCommand(addCommand, environment)).toMatchObject({ code: 0 });
  // The server receives the notification a moment after publication.
  const publicItems = await until(async () => {
    const response = await fetch(`${serving.url}/api/v1/items?mode=all`);
    const { items } = (await response.json()) as { items: { title: string; category: string }[] };
    return items.length < news.length ? null : items;
  });
  expect(publicItems.map(({ title, category }) => [title, category]).sort()).toEqual(
    news.map(([category, title]) => [title, category]).sort(),
  );
  const rulings = await fetch(`${serving.url}/api/v1/items?mode=all&category=rulings`);
  expect(await rulings.json()).toMatchObject({ items: [{ category: 'rulings' }] });
  const unknownCategory = await fetch(`${serving.url}/api/v1/items?category=ai-models`);
  expect(unknownCategory.status).toBe(400);
  const { paths } = (await (await fetch(`${serving.url}/openapi-v1.json`)).json()) as OpenApi;
  const { parameters } = paths['/api/v1/items'].get;
  expect(parameters.find(({ name }) => name === 'category')).toMatchObject({
    schema: { enum: news.map(([category]) => category) },
    example: news[0]?.[0],
  });
  await serving.end('SIGTERM');
});

test('the first pack brings the rules of its field to a running radar', async () => {
  const dataDir = temporaryDataDir();
  const config = join(dataDir, 'radar.config.json');
  await writeFile(config, '{}');
  // The servers open again on the same port.
  const RADAR_PORT = String(await freePort());
  const environment = { DATA_DIR: dataDir, RADAR_CONFIG: config, RADAR_PORT };
  const serving = await startServing(environment, ['--only', 'radar']);
  const readCategories = async () => {
    const response = await fetch(`${serving.url}/openapi-v1.json`).catch(() => null);
    if (response?.ok !== true) return [];
    const { paths } = (await response.json()) as OpenApi;
    const { parameters } = paths['/api/v1/items'].get;
    return parameters.find(({ name }) => name === 'category')?.schema.enum ?? [];
  };
  expect(await readCategories()).toContain('ai-models');
  const addPack = (...args: readonly string[]) =>
    runRadarCommand(['pack', 'add', ...args], environment);
  const [sourceOfScience = ''] = packIds('science');
  const added = await addPack('science', '--only', sourceOfScience);
  expect([added.code, added.err]).toEqual([
    0,
    expect.stringMatching(/^The rules of \S+editorial.general select the items from now on\.\n$/),
  ]);
  const general = (await readEditorial('editorial/general')).categories.map(({ id }) => id);
  await until(async () => ((await readCategories()).join() === general.join() ? true : null));
  // A later pack changes no rules.
  const later = await addPack('ai', '--only', packIds('ai')[0] ?? '');
  expect([later.code, later.err]).toEqual([
    0,
    expect.stringContaining('so categories that they lack are left out.'),
  ]);
  const correction = ['item', 'correct', 'none', '--category', 'ai-models'];
  expect((await runRadarCommand(correction, environment)).err).toContain(
    `--category must be one of ${general.join(', ')}`,
  );
  expect(await readCategories()).toEqual(general);
  expect(await serving.end('SIGTERM')).toBe(0);
});

const packIds = (pack: string): readonly string[] =>
  JSON.parse(readFileSync(`editorial/packs/${pack}.json`, 'utf8')).sources.map(
    ({ id }: { id: string }) => id,
  );

type OpenApi = {
  readonly paths: {
    readonly '/api/v1/items': {
      readonly get: {
        readonly parameters: readonly {
          readonly name?: string;
          readonly schema: { readonly enum?: readonly string[] };
        }[];
      };
    };
  };
};
