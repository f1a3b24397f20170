// Reports through channels: each report is sent once, on the schedule of the subscription.
// Corrections go to the channels that received the report, and a mail has the whole report.
import { expect, test } from 'vitest';
import { openReportContext } from '../../src/app/serve/open-report-context.ts';
import { openSmtp } from '../../src/kernel/net/smtp.ts';
import { readEditorial } from '../../src/radar/enrichment/read-editorial.ts';
import { correctReport } from '../../src/radar/reports/correct-report.ts';
import { dailyOf } from '../../src/radar/reports/report-periods.ts';
import { writeReport } from '../../src/radar/reports/write-reports.ts';
import { openMailServer } from '../support/mail-server.ts';
import { openTestSubscriptions } from './test-subscriptions.ts';

const mails = await openMailServer();
const smtp = openSmtp({
  host: '127.0.0.1',
  port: mails.port,
  secure: false,
  requireTls: false,
  from: 'radar@radar.example',
});
const radar = await openTestSubscriptions({ smtp });
const { publisher, clock, services, world, db } = radar;
const { categories } = await readEditorial('editorial');
const reportContext = await openReportContext('editorial', { language: 'en', categories });
for (const id of ['press', 'wire', 'post']) {
  await publisher.addSource({ id, name: `The ${id}`, owner: `${id} group` });
}
await radar.match();

const runRound = async () => {
  clock.set(clock.now() + 10_000);
  const requestsBefore = services.received.length;
  await radar.match();
  await radar.send();
  return services.received.slice(requestsBefore);
};

const summary = 'The ministry said that the new line carries forty thousand people a day.';

async function writeDaily(day: string): Promise<void> {
  // A daily covers the 24 hours before 08:00 in Shanghai, which is midnight in UTC.
  const end = Date.parse(`${day}T00:00:00Z`);
  clock.set(end - 3_600_000);
  for (const [index, source] of ['press', 'wire', 'post'].entries()) {
    const title = `Railway ${index} opens on ${day}`;
    await publisher.publish({ source, title, summary, story: `sty_${day}_${index}` });
  }
  clock.set(end + 60_000);
  await writeReport(world, db, reportContext, dailyOf(day));
}

test('sends a daily report to existing subscriptions; a mail has the whole report', async () => {
  const webhook = await radar.addChannel('webhook');
  const feishu = await radar.addChannel('feishu');
  const mailbox = await radar.addChannel('email');
  const daily = { kind: 'report', match: { reports: ['daily'] } };
  await radar.subscribe(webhook, { name: 'Dailies', ...daily });
  await radar.subscribe(feishu, { name: '日报', language: 'zh-CN', ...daily });
  await radar.subscribe(mailbox, { name: 'Mail', ...daily });
  await radar.subscribe(webhook, {
    name: 'Weeklies',
    kind: 'report',
    match: { reports: ['weekly'] },
  });
  await writeDaily('2026-08-23');
  const messages = await runRound();
  expect(messages.map(({ kind, problems }) => [kind, problems])).toEqual(
    expect.arrayContaining([
      ['webhook', []],
      ['feishu', []],
    ]),
  );
  expect(messages).toHaveLength(2);
  const webhookRequest = messages.find(({ kind }) => kind === 'webhook');
  expect(webhookRequest?.body).toEqual({
    type: 'report.published',
    timestamp: expect.any(String),
    data: {
      subscription: { id: expect.any(String), name: 'Dailies' },
      reason: 'report:2026-08-23',
      report: {
        kind: 'daily',
        key: '2026-08-23',
        links: { html: 'https://radar.example/daily/2026-08-23' },
      },
    },
  });
  const feishuRequest = messages.find(({ kind }) => kind === 'feishu')?.text ?? '';
  expect(feishuRequest).toContain('日报 · 8月23日星期日');
  expect(feishuRequest).toContain('Railway 1 opens on 2026-08-23');
  const mail = await mails.nextMail('desk@example.com');
  expect(mail.subject).toBe('Daily report · Sunday 23 August');
  for (const index of [0, 1, 2]) {
    expect(mail.text).toContain(`Railway ${index} opens on 2026-08-23\n${summary}`);
  }
  expect(mail.html).toContain('https://radar.example/daily/2026-08-23');
  expect(await runRound()).toEqual([]);
});

test('sends a correction only where the report was delivered', async () => {
  const laterChannel = await radar.addChannel('webhook');
  const daily = { kind: 'report', match: { reports: ['daily'] } };
  clock.set(clock.now() + 1_000);
  await radar.subscribe(laterChannel, { name: 'Late', ...daily });
  const note = 'The second line opens next week.';
  const correction = {
    kind: 'daily',
    key: '2026-08-23',
    version: undefined,
    actor: 'Ada',
  } as const;
  await correctReport(world, db, reportContext, {
    ...correction,
    change: { action: 'note' },
    note,
  });
  const messages = await runRound();
  expect(messages.map(({ kind }) => kind).sort()).toEqual(['feishu', 'webhook']);
  expect(messages.find(({ kind }) => kind === 'webhook')?.body).toMatchObject({
    type: 'report.corrected',
    data: { subscription: { name: 'Dailies' }, reason: 'correction:1' },
  });
  expect((await mails.nextMail('desk@example.com')).subject).toBe(
    'Corrected: Daily report · Sunday 23 August',
  );
});

test('a report waits for the schedule of its subscription', async () => {
  const slack = await radar.addChannel('slack');
  const schedule = { daily: ['18:00'], zone: 'UTC' };
  const daily = { kind: 'report', match: { reports: ['daily'] } };
  await radar.subscribe(slack, { name: 'Evening', ...daily, schedule });
  await writeDaily('2026-08-24');
  expect((await runRound()).filter(({ kind }) => kind === 'slack')).toEqual([]);
  clock.set(Date.parse('2026-08-24T18:03:00Z'));
  expect((await runRound()).filter(({ kind }) => kind === 'slack')).toHaveLength(1);
});
