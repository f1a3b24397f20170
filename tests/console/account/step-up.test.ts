// Sensitive forms need a sign-in within the last ten minutes. A form that is sent without such a
// sign-in is kept, and the owner confirms the form after signing in. Sessions end when they are
// idle.
import { expect, test } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '../../../src/kernel/time/durations.ts';
import { readFormFields } from '../../support/form-browser.ts';
import { openTestConsole } from '../test-console.ts';

const SIGN_IN = '/console/sign-in';
const NEW_KEY = '/console/keys/new';
const testConsole = await openTestConsole({ idleMs: 4 * HOUR_MS });
const { clock } = testConsole;
let accounts = 1;

async function newCustomer() {
  await testConsole.newAccount();
  accounts += 1;
  const email = `customer-${accounts}@example.com`;
  const password = `password ${accounts} of a test`;
  return { email, password, browser: await testConsole.signIn(email, password) };
}

type Customer = Awaited<ReturnType<typeof newCustomer>>;

/** Sends the sign-in form of a response, with the password. */
const signInAgain = ({ browser, email, password }: Customer, page: string) =>
  browser.post(SIGN_IN, { ...readFormFields(page, SIGN_IN), email, password });

const keyIn = (text: string) => /\b[sa]k-(?:test-)?[a-z2-7]{38}\b/.exec(text)?.[0];

test('a live key needs a recent sign-in, and the form is completed afterwards', async () => {
  const customer = await newCustomer();
  const { browser } = customer;
  clock.advance(10 * MINUTE_MS);
  const signInPage = await browser.submit(NEW_KEY, NEW_KEY, { name: 'Printer', budget: '20' });
  expect([signInPage.status, keyIn(signInPage.text)]).toEqual([401, undefined]);
  expect(signInPage.text).toContain('This action needs a sign-in within the last ten minutes.');
  expect(signInPage.text).toContain(`value="${customer.email}"`);
  expect((await browser.get('/console/keys')).text).not.toContain('Printer');
  const confirmationPage = await signInAgain(customer, signInPage.text);
  expect([confirmationPage.status, keyIn(confirmationPage.text)]).toEqual([200, undefined]);
  expect(confirmationPage.text).toContain('<dt>Name</dt><dd>Printer</dd>');
  const createdPage = await browser.post(NEW_KEY, readFormFields(confirmationPage.text, NEW_KEY));
  expect(createdPage.status).toBe(200);
  expect(keyIn(createdPage.text)).toBeDefined();
  expect((await browser.get('/console/keys')).text).toContain('Printer');
  // A second key within ten minutes needs no further sign-in.
  clock.advance(9 * MINUTE_MS);
  const nextPage = await browser.submit(NEW_KEY, NEW_KEY, { name: 'Scanner' });
  expect(nextPage.status).toBe(200);
});

test('the confirmation shows the choices of a key in words', async () => {
  const customer = await newCustomer();
  clock.advance(10 * MINUTE_MS);
  const fields = { name: 'Printer', budget: '20', period: 'total', scope: ['ocr', 'toString'] };
  const signInPage = await customer.browser.submit(NEW_KEY, NEW_KEY, fields);
  const { text } = await signInAgain(customer, signInPage.text);
  const terms = [...text.matchAll(/<dt>([^<]*)<\/dt><dd>(.*?)<\/dd>/g)];
  expect(terms.map(([, name, value]) => [name, value])).toEqual(
    expect.arrayContaining([
      ['Key', 'API key'],
      ['Ends', 'Never, unless it is revoked'],
      ['Per', 'lifetime'],
      ['What the key may call', 'Image OCR'],
      ['What the key may call', 'toString'],
    ]),
  );
  expect(readFormFields(text, NEW_KEY)).toMatchObject({
    kind: 'sk',
    expires: 'never',
    period: 'total',
  });
});

test('a wrong password submits nothing, and the form stays stored', async () => {
  const customer = await newCustomer();
  clock.advance(10 * MINUTE_MS);
  const signInPage = await customer.browser.submit(NEW_KEY, NEW_KEY, { name: 'Printer' });
  const wrongSignIn = { ...customer, password: 'not the password' };
  const rejection = await signInAgain(wrongSignIn, signInPage.text);
  expect([rejection.status, keyIn(rejection.text)]).toEqual([401, undefined]);
  expect((await customer.browser.get('/console/keys')).text).not.toContain('Printer');
  const confirmationPage = await signInAgain(customer, rejection.text);
  expect(confirmationPage.text).toContain('<dt>Name</dt><dd>Printer</dd>');
});

test('another account that signs in does not receive the form', async () => {
  const [customer, otherCustomer] = [await newCustomer(), await newCustomer()];
  clock.advance(10 * MINUTE_MS);
  const signInPage = await customer.browser.submit(NEW_KEY, NEW_KEY, { name: 'Printer' });
  const { email, password } = otherCustomer;
  const signedInPage = await signInAgain(
    { browser: customer.browser, email, password },
    signInPage.text,
  );
  expect([signedInPage.status, signedInPage.headers.location]).toEqual([303, NEW_KEY]);
});

test('test keys need no recent sign-in, webhooks do; a new sign-in keeps the mode', async () => {
  const customer = await newCustomer();
  const { browser } = customer;
  await browser.submit('/console', '/console/mode', { livemode: 'false' });
  clock.advance(HOUR_MS);
  const createdPage = await browser.submit(NEW_KEY, NEW_KEY, { name: 'Only a test' });
  expect(keyIn(createdPage.text)).toMatch(/^sk-test-/);
  const list = await browser.get('/console/keys');
  const path = /\/console\/keys\/key_\w+/.exec(list.text)?.[0] ?? '';
  const webhook = { url: 'https://shop.example/hook', event: 'job.finished' };
  const signInPage = await browser.submit('/console/webhooks', '/console/webhooks', webhook);
  expect(signInPage.status).toBe(401);
  const confirmationPage = await signInAgain(customer, signInPage.text);
  expect(confirmationPage.text).toContain(
    '<dt>Address of your server</dt><dd>https://shop.example/hook</dd>',
  );
  expect(confirmationPage.text).toContain('<dt>Events to receive</dt><dd>A job has ended</dd>');
  const addedPage = await browser.post(
    '/console/webhooks',
    readFormFields(confirmationPage.text, '/console/webhooks'),
  );
  expect(addedPage.text).toContain('whsec_');
  expect((await browser.get('/console/webhooks')).text).toContain('class="test-mode"');
  clock.advance(HOUR_MS);
  const revokedPage = await browser.submit(path, `${path}/revoke`);
  expect(revokedPage.text).toContain('Revoked.');
});

test('new webhook secrets and rotations need a recent sign-in, revocations do not', async () => {
  const { browser } = await newCustomer();
  await browser.submit(NEW_KEY, NEW_KEY, { name: 'Printer' });
  const webhook = { url: 'https://shop.example/hook', event: 'job.finished' };
  await browser.submit('/console/webhooks', '/console/webhooks', webhook);
  const keyList = await browser.get('/console/keys');
  const keyPath = /\/console\/keys\/key_\w+/.exec(keyList.text)?.[0] ?? '';
  const webhookPath = /\/console\/webhooks\/hook_\w+/.exec(
    (await browser.get('/console/webhooks')).text,
  );
  clock.advance(10 * MINUTE_MS);
  const rotatedPage = await browser.submit(keyPath, `${keyPath}/rotate`);
  const secretPage = await browser.submit(webhookPath?.[0] ?? '', `${webhookPath?.[0]}/secret`);
  expect([rotatedPage.status, secretPage.status]).toEqual([401, 401]);
  expect(`${rotatedPage.text}${secretPage.text}`).not.toMatch(/whsec_|\bsk-[a-z2-7]{38}\b/);
  const revokedPage = await browser.submit(keyPath, `${keyPath}/revoke`);
  expect(revokedPage.text).toContain('Revoked.');
});

test('an idle session ends, and a used session continues', async () => {
  const { browser } = await newCustomer();
  for (let hours = 0; hours < 12; hours += 3) {
    clock.advance(3 * HOUR_MS);
    expect((await browser.get('/console/keys')).status).toBe(200);
  }
  clock.advance(4 * HOUR_MS);
  expect((await browser.get('/console/keys')).status).toBe(303);
});
