// Operators create prices with a start time. They are equal on every node, and they never change.
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { auditLedger } from '../../src/gateway/wallet/integrity/audit-ledger.ts';
import { formatShanghai } from '../../src/kernel/time/calendar.ts';
import { HOUR_MS, MINUTE_MS } from '../../src/kernel/time/durations.ts';
import { type Browser, readFormFields } from '../support/form-browser.ts';
import { json } from '../support/http-request.ts';
import { openTestAdmin } from './test-admin.ts';

const PATH = '/admin/prices/change';
const admin = await openTestAdmin();
let operator = await admin.signIn('Ada');

// Pages about money need a sign-in within ten minutes, and these tests move the clock by hours.
beforeEach(async () => {
  operator = await admin.signIn('Ada');
});
const otherNode = await admin.openNode();
afterAll(() => otherNode.close());

type Catalog = { version: number; skus: { id: string; [field: string]: unknown }[] };

async function readCatalogs() {
  const pendingCatalogs = [admin.origin, otherNode.origin].map(async (origin) => {
    const response = await fetch(`${origin}/capabilities/catalog`);
    const { version, skus } = (await response.json()) as Catalog;
    const social = skus.find(({ id }) => id === 'social_data');
    return { version, etag: response.headers.get('etag'), price: social?.price };
  });
  return Promise.all(pendingCatalogs);
}

/** Plans a list: the first submission shows its effect, and the second submission creates it. */
async function planTwice(browser: Browser, fields: Readonly<Record<string, string>>) {
  const preview = await browser.submit(PATH, PATH, fields);
  const { shown: values = '' } = readFormFields(preview.text, PATH);
  return preview.status === 200
    ? browser.submit(PATH, PATH, { ...fields, shown: values })
    : preview;
}

/** Plans a list that takes effect in one hour, rounded to the minute. */
async function planList(prices: Readonly<Record<string, string>>, inMs = HOUR_MS) {
  const startsAt = Math.ceil((admin.clock.now() + inMs) / 60_000) * 60_000;
  const fields = { ...prices, starts: formatShanghai(startsAt), reason: 'costs rose' };
  return { startsAt, response: await planTwice(operator, fields) };
}

describe('a price list', () => {
  test('applies on every node from its start time, and the catalog has a new ETag', async () => {
    const [catalogBefore] = await readCatalogs();
    const { startsAt, response } = await planList({ social_data: '48', transcribe: '0.09' });
    expect([response.status, response.text.includes('Planned. Every node')]).toEqual([200, true]);
    admin.clock.set(startsAt - 1);
    expect(await readCatalogs()).toEqual([catalogBefore, catalogBefore]);
    const { sk } = await admin.newAccount();
    const callBefore = await admin.call('paid', { text: 'before' }, { key: sk });
    expect(json(callBefore)).toMatchObject({ charge: { total: '0.036' } });
    admin.clock.set(startsAt);
    const [firstCatalog, secondCatalog] = await readCatalogs();
    expect(firstCatalog).toEqual({ version: 2, price: '¥0.048', etag: expect.any(String) });
    expect(secondCatalog).toEqual(firstCatalog);
    expect(firstCatalog?.etag).not.toBe(catalogBefore?.etag);
    const callAfter = await admin.call('paid', { text: 'after' }, { key: sk });
    expect(json(callAfter)).toMatchObject({ charge: { total: '0.048' } });
    const catalog = (await admin.sendRequest({ path: '/capabilities/catalog' })).text;
    expect(catalog).toContain(
      '"price_cents_per_1000":4800,"price_per_1000":"¥48.00","price_cents":5',
    );
    expect(catalog).toContain('"price_cents_per_minute":9,"price_per_minute":"¥0.09"');
  });

  test('does not affect a running call', async () => {
    const { sk } = await admin.newAccount();
    const currentCall = json(await admin.call('paid', { text: 'x' }, { key: sk })) as {
      charge: { total: string };
    };
    const { startsAt } = await planList({ social_data: '60' });
    admin.clock.set(startsAt - 1);
    const slowCall = admin.call('paid', { text: 'slow', does: 'wait' }, { key: sk });
    await admin.paid.waitForRuns(1);
    admin.clock.set(startsAt + 2_000);
    admin.paid.release();
    expect(json(await slowCall)).toMatchObject({ charge: { total: currentCall.charge.total } });
    const nextCall = json(await admin.call('paid', { text: 'next' }, { key: sk }));
    expect(nextCall).toMatchObject({ charge: { total: '0.06' } });
    expect((await auditLedger(admin.world, admin.db, 'full')).isIntact).toBe(true);
  });

  test('shows its effect before it is stored, and again when a value changes', async () => {
    const version = (await readCatalogs())[0]?.version;
    const startText = formatShanghai(admin.clock.now() + HOUR_MS);
    const fields = {
      social_data: '72',
      transcribe: '0.12',
      starts: startText,
      reason: 'costs rose',
    };
    const firstPage = await operator.submit(PATH, PATH, fields);
    expect(firstPage.text).toContain('Effect of this list');
    const callPrices = firstPage.text.match(/one call: <span class="nowrap">(.*?)<\/span>/)?.[1];
    expect(callPrices).toMatch(/^¥0\.\d+ → ¥0\.072$/);
    expect(firstPage.text).toMatch(/a video of 3 minutes: <span class="nowrap">¥0\.\d+ → ¥0\.36/);
    const { shown: shownPreview = '' } = readFormFields(firstPage.text, PATH);
    const changedPage = await operator.submit(PATH, PATH, {
      ...fields,
      social_data: '75',
      shown: shownPreview,
    });
    expect(changedPage.text).toContain('→ ¥0.075');
    admin.clock.set(admin.clock.now() + 2 * HOUR_MS);
    expect((await readCatalogs())[0]?.version).toBe(version);
    operator = await admin.signIn('Ada');
  });

  test('gives a free capability a price, and the catalog shows it', async () => {
    const { startsAt } = await planList({ ocr: '0.01' });
    admin.clock.set(startsAt);
    const { skus } = json(await admin.sendRequest({ path: '/capabilities/catalog' })) as Catalog;
    expect(skus.find(({ id }) => id === 'ocr')).toMatchObject({
      bucket: 'paid_relay',
      priced: true,
      price_cents: 1,
      price: '¥0.01',
    });
    const { sk } = await admin.newAccount();
    const call = json(await admin.call('free', { text: 'x' }, { key: sk }));
    expect(call).toMatchObject({ charge: { total: '0.01', free_quota: '0.01' } });
    expect((await auditLedger(admin.world, admin.db, 'full')).isIntact).toBe(true);
  });

  test('can be canceled before its start, and its number is not reused', async () => {
    const [currentCatalog] = await readCatalogs();
    const { startsAt } = await planList({ social_data: '99' });
    const version = (currentCatalog?.version ?? 0) + 1;
    const path = `/admin/prices/${version}/withdraw`;
    const cancelPage = await operator.submit(path, path);
    expect(cancelPage.text).toContain('Canceled: the price list will not take effect.');
    admin.clock.set(startsAt + 1_000);
    expect((await readCatalogs())[0]?.version).toBe(currentCatalog?.version);
    operator = await admin.signIn('Ada');
    const nextVersion = await planList({ social_data: '36' });
    admin.clock.set(nextVersion.startsAt);
    expect((await readCatalogs())[0]?.version).toBe(version + 1);
  });

  test('cannot be canceled shortly before it begins', async () => {
    const { startsAt } = await planList({ social_data: '90' });
    const [currentCatalog] = await readCatalogs();
    const path = `/admin/prices/${(currentCatalog?.version ?? 0) + 1}/withdraw`;
    admin.clock.set(startsAt - 5 * MINUTE_MS);
    operator = await admin.signIn('Ada');
    const form = readFormFields((await operator.get(path)).text, path);
    admin.clock.set(startsAt - 5_000);
    const { headers } = await operator.post(path, form);
    expect(headers.location).toBe('/admin/prices?done=tooLate');
    admin.clock.set(startsAt);
    expect((await readCatalogs())[0]?.price).toBe('¥0.09');
  });
});

describe('an invalid price list is refused with the reason', () => {
  test.each([
    ['too soon', { starts: formatShanghai(admin.clock.now()) }, 'At least a minute from now'],
    ['no time', { starts: 'tomorrow' }, 'A date and a time, as 2026-12-01 00:00.'],
    ['an invalid day', { starts: '2026-02-30 00:00' }, 'A date and a time'],
    ['half a fen', { social_data: '36.005' }, 'In steps of ¥0.01'],
    ['a second without an exact price', { transcribe: '0.07' }, 'In steps of ¥0.03'],
    ['below zero', { ocr: '-1' }, 'A price in CNY, such as 36.00'],
    ['no amount', { svc_image: 'free' }, 'A price in CNY, such as 36.00'],
    ['without a reason', { reason: '' }, 'Give a short reason'],
  ] as const)('%s', async (_name, wrongFields, problem) => {
    const startText = formatShanghai(admin.clock.now() + HOUR_MS);
    const fields = { starts: startText, reason: 'why not', ...wrongFields };
    const { status, text } = await operator.submit(PATH, PATH, fields);
    expect([status, text.includes(problem)]).toEqual([422, true]);
    expect(readFormFields(text, PATH)).toMatchObject(fields);
  });

  test('shows an editor the list that another editor planned meanwhile', async () => {
    const otherOperator = await admin.signIn('Bo');
    const staleForm = readFormFields((await otherOperator.get(PATH)).text, PATH);
    await planList({ social_data: '42' }, 3 * HOUR_MS);
    const startText = formatShanghai(admin.clock.now() + 5 * HOUR_MS);
    const response = await otherOperator.post(PATH, {
      ...staleForm,
      social_data: '45.00',
      starts: startText,
      reason: 'mine',
    });
    expect(response.status).toBe(409);
    expect(response.text).toContain('Ada saved a change first.');
    expect(response.text).toMatch(/>42\.00<\/td>\s*<td data-label="[^"]+">45\.00<\/td>/);
  });
});
