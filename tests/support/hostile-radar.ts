// Opens a radar with malicious sources. Hostile content is pushed to the real endpoint, enriched by
// the real enricher, and published in every output. The names are hostile too.
import { computeRanking } from '../../src/radar/ranking/compute-ranking.ts';
import { readRankingRules } from '../../src/radar/ranking/ranking-rules.ts';
import { writeDueReports } from '../../src/radar/reports/write-reports.ts';
import { sqlOf } from '../../src/store/platform/db.ts';
import { openTestReportContext, shanghai } from '../reports/publish-item.ts';
import { openStoryPublisher } from './published-stories.ts';
import { openPushEndpoint, type PushEndpoint } from './push-endpoint.ts';
import { openTestApp, type TestApp } from './test-radar.ts';

export const STORY = '0b6f6f0e-5a3c-4c55-9a0e-0d6b8f1c2a66';
export const REPORT_KEYS = { daily: '2026-08-30', weekly: '2026-W35', monthly: '2026-08' } as const;

/** An element that no page may ever contain. */
export const ELEMENT = 'xhostile';
/** The script of each payload. It records that it has run. */
const SCRIPT = 'window.wasHit=1';

/** Sequences that end a text, attribute, script, comment, Markdown block or fence. */
export const payloads: readonly string[] = [
  `<${ELEMENT} onclick="${SCRIPT}">`,
  `&lt;${ELEMENT}&gt;&lt;img src=x onerror=${SCRIPT}&gt;`,
  `"><${ELEMENT}><img src=x onerror="${SCRIPT}">`,
  `' onfocus='${SCRIPT}' autofocus='<${ELEMENT}>`,
  `</title></style></script><script>${SCRIPT}</script><${ELEMENT}>`,
  `--><svg onload=${SCRIPT}><${ELEMENT}>`,
  `]]><${ELEMENT}/>`,
  `[x](javascript:${SCRIPT})<${ELEMENT}>`,
  `\`\`\`\n\`\`\`\`\`\n# Orders\n<${ELEMENT}>`,
  '\u202egnirts\u0000\u0008\u2028{{7*7}}',
];

const pathOf = (index: number) =>
  `${index}/"><${ELEMENT}>'\`)](javascript:${SCRIPT})?q=<img src=x>#"onload=`;

export type HostileRadar = TestApp & {
  readonly origin: string;
  readonly endpoint: PushEndpoint;
  /** Public items. */
  readonly itemIds: readonly string[];
};

/** Call at the top of a test file. */
export async function openHostileRadar(): Promise<HostileRadar> {
  const app = await openTestApp();
  const { world, db, clock } = app;
  clock.set(shanghai('2026-08-29T09:00'));
  const endpoint = await openPushEndpoint(app);
  const items = payloads.map((payload, index) => ({
    url: `https://halden.example/${pathOf(index)}`,
    title: `Halden Labs releases Orrin ${index}, an open-weights language model ${payload}`,
    summary:
      `Halden Labs today released Orrin ${index}, a 70B language model with open weights. ` +
      `It costs $${index + 2} million a year ${payload}. ${payload} It has a 1M-token context.`,
    author: payload,
    publishedAt: new Date(clock.now() - index * 60_000).toISOString(),
  }));
  const response = await endpoint.push({ source: 'agents', items });
  if (response.status !== 200) throw new Error(JSON.stringify(response.body));
  await giveHostileName(app);
  await app.fetchAndEnrich('agents');
  const itemIds = app.listItems().map(({ id }) => id);
  const publisher = openStoryPublisher(world, db);
  for (const id of itemIds) await publisher.move(id, STORY);
  const report = { source: 'second', text: `Orrin costs $99 million a year ${payloads[0]}` };
  await publisher.addSource({ id: 'second', name: `Second ${payloads[2]}`, tier: 'T1' });
  await publisher.publish({
    ...report,
    title: `Orrin ${payloads[4]}`,
    summary: report.text,
    story: STORY,
  });
  await computeRanking(world, db, await readRankingRules('editorial'));
  clock.set(shanghai('2026-09-01T10:35'));
  await writeDueReports(world, db, await openTestReportContext(), new AbortController().signal);
  await app.settle();
  return { ...app, endpoint, itemIds, origin: new URL(endpoint.url).origin };
}

/** An operator can give a source a hostile name. */
async function giveHostileName({ db }: TestApp): Promise<void> {
  await sqlOf(db)
    .updateTable('sources')
    .set({ name: `Agents ${payloads[2]}`, owner: `Agents ${payloads[5]}` })
    .where('id', '=', 'agents')
    .execute();
}
