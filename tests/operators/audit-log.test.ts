// A row of the audit log has the operator, the address, and the values before and after. A page and
// a command export the log. No row can be changed.
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { exportAuditLog } from '../../src/operators/audit-export.ts';
import { SHELL } from '../../src/operators/audit-log.ts';
import { findOperatorAccount, setOperatorPassword } from '../../src/operators/operators.ts';
import { inTransaction, sqlOf } from '../../src/store/platform/db.ts';
import { openTestAdmin as openRadarAdmin } from '../admin/admin-session.ts';
import { openTestAdmin } from './test-admin.ts';

const admin = await openTestAdmin();
const { db } = admin;

const allRecords = { kinds: null, subject: null, from: null, to: null };

async function textOf(parts: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const chunk of parts) text += chunk;
  return text;
}

const readLines = async () =>
  (await textOf(exportAuditLog(db, allRecords, 'ndjson')))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

test('a row has the operator, the address, and the values before and after', async () => {
  const browser = await admin.signIn('Ada', 'owner');
  const ada = await findOperatorAccount(db, 'Ada');
  await browser.submit('/admin/prices/allowance', '/admin/prices/allowance', { amount: '120' });
  expect((await readLines()).at(-1)).toEqual({
    id: expect.any(String),
    at: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/),
    operator: 'Ada',
    operator_id: ada?.id,
    address: '127.0.0.1',
    action: 'cap',
    kind: 'allowance',
    subject: expect.any(String),
    before: expect.any(Object),
    after: { cap: '¥120.00' },
    note: null,
  });
  const page = await browser.get('/admin/audit');
  expect(page.text).toContain('<span class="meta below">127.0.0.1</span>');
  expect(page.text).toContain('href="/admin/audit.csv"');
});

test('a change is rolled back when its audit row cannot be written', async () => {
  const browser = await admin.signIn('Ada', 'owner');
  const path = '/admin/prices/allowance';
  const amountsBefore = (await browser.get(path)).text.match(/¥[\d.]+/g);
  const rows = await readLines();
  await sql`ALTER TABLE operator_audit RENAME TO audit_away`.execute(sqlOf(db));
  const failedResponse = await browser.submit(path, path, { amount: '77' });
  await sql`ALTER TABLE audit_away RENAME TO operator_audit`.execute(sqlOf(db));
  expect(failedResponse.status).toBe(503);
  expect(failedResponse.text).not.toContain('operator_audit');
  expect((await browser.get(path)).text.match(/¥[\d.]+/g)).toEqual(amountsBefore);
  expect(await readLines()).toEqual(rows);
});

test('a row has the client address that a trusted proxy forwarded', async () => {
  const browser = await admin.signIn('Ada');
  const { text } = await browser.get('/admin/profile');
  const token = /name="token" value="([^"]*)"/.exec(text)?.[1] ?? '';
  const response = await fetch(`${admin.origin}/admin/profile/sessions/end`, {
    method: 'POST',
    redirect: 'manual',
    headers: {
      cookie: [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      'x-forwarded-for': '203.0.113.7',
    },
    body: new URLSearchParams({ token }),
  });
  expect(response.status).toBe(303);
  expect((await readLines()).at(-1)).toMatchObject({
    operator: 'Ada',
    address: '203.0.113.7',
    action: 'end_sessions',
  });
});

test('a change from the command line has neither an operator account nor an address', async () => {
  const id = (await findOperatorAccount(db, 'Ada'))?.id ?? '';
  const password = 'a long new password';
  admin.clock.advance(1);
  await setOperatorPassword(admin.world, db, { id, password, session: null, by: SHELL });
  expect((await readLines()).at(-1)).toMatchObject({
    operator: 'shell',
    operator_id: null,
    address: null,
    action: 'password',
    subject: 'Ada',
  });
});

test.each([
  ['UPDATE', sql`UPDATE operator_audit SET actor = 'somebody'`],
  ['DELETE', sql`DELETE FROM operator_audit`],
  ['TRUNCATE', sql`TRUNCATE operator_audit`],
])('the database refuses %s on the audit log', async (_name, statement) => {
  const rowsBefore = await readLines();
  const change = inTransaction(db, (tx) => statement.execute(sqlOf(tx)));
  await expect(change).rejects.toThrow(/operator_audit is append-only/);
  expect(await readLines()).toEqual(rowsBefore);
});

test('both areas export their part of the log as NDJSON and CSV', async () => {
  const browser = await admin.signIn('Zoe', 'auditor');
  const ndjson = await browser.get('/admin/audit.ndjson');
  expect(ndjson.headers['content-type']).toBe('application/x-ndjson');
  expect(ndjson.headers['content-disposition']).toBe('attachment; filename="audit-log.ndjson"');
  expect(ndjson.text).toBe(await textOf(exportAuditLog(db, allRecords, 'ndjson')));
  const unknownKind = await browser.get('/admin/audit.ndjson?kind=nothing');
  expect(unknownKind.text).toBe(ndjson.text);
  const csv = await browser.get('/admin/audit.csv?kind=allowance');
  expect(csv.headers['content-type']).toBe('text/csv; charset=utf-8');
  const [headerRow, row, ...otherRows] = csv.text.trimEnd().split('\r\n');
  expect(headerRow).toBe(
    'id,at,operator,operator_id,address,action,kind,subject,before,after,note',
  );
  expect(row).toMatch(/,Ada,operator_\w+,127\.0\.0\.1,cap,allowance,/);
  expect(otherRows).toEqual([]);
  const radar = await openRadarAdmin();
  const editor = await radar.signIn('Ben', 'editor');
  const lines = (await editor.get('/admin/audit.ndjson?kind=operator')).text.trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line).action).sort()).toEqual(['accept', 'invite']);
});

test('an export of several batches has each row once, oldest first', async () => {
  await sql`INSERT INTO operator_audit (id, at, actor, action, kind, subject, before, after)
    SELECT 'many' || lpad(n::text, 5, '0'), '2030-01-01'::timestamptz, 'Ada', 'pause', 'source',
      's', '{}', '{}' FROM generate_series(1, 1200) n`.execute(sqlOf(db));
  const ids = (await textOf(exportAuditLog(db, { ...allRecords, subject: 's' }, 'ndjson')))
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { id: string }).id);
  expect(ids).toEqual(
    Array.from({ length: 1200 }, (_, index) => `many${`${index + 1}`.padStart(5, '0')}`),
  );
});
