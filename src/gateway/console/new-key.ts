// Making a key. It stands on the page that answers the form and nowhere again: the form names
// itself, so that sending it twice makes one key and shows it once.
import { pageHead } from '../../kernel/desk/desk-page.ts';
import {
  choiceField,
  errorSummary,
  type FieldErrors,
  postForm,
  textField,
  tickField,
} from '../../kernel/desk/forms.ts';
import { type Html, html } from '../../kernel/html/html.ts';
import { parseCny } from '../../kernel/money.ts';
import { makeKeyOnce } from '../keys/change-keys.ts';
import type { Budget } from '../keys/key.ts';
import type { KeyKind } from '../keys/key-text.ts';
import { KEY_NAME_MAX, type KeyWish, keyWishProblems } from '../keys/key-wish.ts';
import type { ConsoleAnswer, ConsoleAsked, ConsoleContext } from './console-context.ts';
import { scopesOf } from './example-call.ts';
import { scopeNames } from './keys.ts';
import { shownOnce } from './shown-once.ts';
import { typed } from './typed.ts';
import type { ConsoleWords } from './words.ts';

const DAY_MS = 24 * 3_600_000;
const PATH = '/console/keys/new';

type Typed = {
  readonly kind: KeyKind;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly expires: string;
  readonly networks: string;
  readonly budget: string;
  readonly period: string;
};

const fresh = {
  ...{ name: '', scopes: [], expires: 'never', networks: '', budget: '', period: 'month' },
} as const;

export async function newKeyPage(
  context: ConsoleContext,
  { query }: ConsoleAsked,
): Promise<ConsoleAnswer> {
  const kind = query.get('kind') === 'ak' ? 'ak' : 'sk';
  return formPage(context, { ...fresh, kind }, { wish: newWish(context), errors: {}, status: 200 });
}

const newWish = ({ world }: ConsoleContext) =>
  Buffer.from(world.random.bytes(16)).toString('base64url');

export async function saveNewKey(
  context: ConsoleContext,
  { form }: ConsoleAsked,
): Promise<ConsoleAnswer> {
  const { world, db, account, livemode, words } = context;
  const given = typedOf(form);
  const wish = /^[\w-]{22}$/.exec(form.get('wish') ?? '')?.[0] ?? newWish(context);
  const read = readWish(words, given, world.clock.now());
  if (read.kind === 'invalid') {
    return formPage(context, given, { wish, errors: read.errors, status: 422 });
  }
  const key = { ...read.wish, accountId: account.id, kind: given.kind, livemode };
  const made = await makeKeyOnce(world, db, key, wish);
  switch (made.kind) {
    case 'made': {
      const { text } = made.made;
      const said = { title: words.madeTitle, about: words.madeAbout };
      return shownOnce(context, { ...said, kind: given.kind, key: text, scopes: given.scopes });
    }
    case 'made_before':
      return explained(context, words.madeBefore, words.madeBeforeAbout, 409);
    case 'unverified':
      return explained(context, words.needsVerification, words.awaits(account.email), 403);
  }
}

function explained(
  { words }: ConsoleContext,
  title: string,
  about: string,
  status: number,
): ConsoleAnswer {
  const body = html`${pageHead(title, about)}
<p class="more"><a class="button" href="/console/keys">${words.keys}</a></p>`;
  return { kind: 'page', status, title, body };
}

function typedOf(form: URLSearchParams): Typed {
  const kind = form.get('kind') === 'ak' ? 'ak' : 'sk';
  const known = scopesOf(kind);
  return {
    kind,
    name: typed(form, 'name', 1_000),
    scopes: known.filter((scope) => form.getAll('scope').includes(scope)),
    expires: typed(form, 'expires', 20),
    networks: (form.get('networks') ?? '').slice(0, 10_000),
    budget: typed(form, 'budget', 40),
    period: typed(form, 'period', 20),
  };
}

type Read =
  | { readonly kind: 'wish'; readonly wish: Omit<KeyWish, 'accountId' | 'kind' | 'livemode'> }
  | { readonly kind: 'invalid'; readonly errors: FieldErrors };

function readWish(words: ConsoleWords, given: Typed, now: number): Read {
  const { name, scopes, expires, period } = given;
  const networks = given.networks.split(/[\s,]+/).filter(Boolean);
  const budget = readBudget(given.budget, period);
  const days = /^\d{1,4}$/.test(expires) ? Number(expires) : null;
  const expiresAt = days === null ? null : now + days * DAY_MS;
  const wish = { name, scopes, networks, budget: budget ?? null, expiresAt };
  const problems = keyWishProblems(wish, now);
  const isOffered = Object.hasOwn(words.expiresChoices, expires);
  const errors = {
    ...(problems.name && { name: words.keyNameLength(KEY_NAME_MAX) }),
    ...((!isOffered || problems.expiresAt) && { expires: words.expiresWrong }),
    ...(problems.networks && { networks: words.networksWrong }),
    ...((budget === undefined || problems.budget) && { budget: words.budgetWrong }),
  };
  return Object.keys(errors).length > 0 ? { kind: 'invalid', errors } : { kind: 'wish', wish };
}

/** null: none; undefined: not to be read. */
function readBudget(text: string, period: string): Budget | null | undefined {
  if (text === '') return null;
  const amount = parseCny(text.replaceAll(/[¥￥,\s]/g, ''));
  if (amount === null || amount < 0n) return undefined;
  return period === 'day' || period === 'month' || period === 'total'
    ? { amount, period }
    : undefined;
}

type Shown = { readonly wish: string; readonly errors: FieldErrors; readonly status: number };

function formPage(
  context: ConsoleContext,
  given: Typed,
  { wish, errors, status }: Shown,
): ConsoleAnswer {
  const { words, account, livemode } = context;
  if (livemode && account.awaitsVerification) {
    return explained(context, words.needsVerification, words.awaits(account.email), 403);
  }
  const title = given.kind === 'sk' ? words.newSk : words.newAk;
  return {
    ...{ kind: 'page', status, title },
    body: html`${pageHead(title, words.kinds[given.kind])}
${errorSummary(context, errors)}
${postForm(
  context,
  { action: PATH },
  html`<input type="hidden" name="wish" value="${wish}">\
<input type="hidden" name="kind" value="${given.kind}">
${textField({
  ...{ name: 'name', label: words.keyName, value: given.name, help: words.keyNameHelp },
  ...{ error: errors.name, isRequired: true, autocomplete: 'off' },
})}${limits(context, given, errors)}
<div class="acts"><button>${words.createKey}</button>
<a href="/console/keys">${words.cancel}</a></div>`,
)}`,
  };
}

function limits({ words, site }: ConsoleContext, given: Typed, errors: FieldErrors): Html {
  const { scopes, expires, networks, budget, period } = given;
  const isTouched = scopes.length > 0 || networks !== '' || budget !== '' || expires !== 'never';
  const choices = (said: Readonly<Record<string, string>>) =>
    Object.entries(said).map(([value, label]) => ({ value, label }));
  return html`<details class="limits"${isTouched && html` open`}>\
<summary>${words.limitsOptional}</summary>
${tickField({
  ...{ name: 'scope', label: words.keyScopes, help: words.keyScopesHelp, chosen: scopes },
  choices: scopesOf(given.kind).map((value) => ({
    value,
    label: scopeNames(site.language, [value]),
  })),
})}<div class="columns">${choiceField({
    ...{ name: 'expires', label: words.expires, value: expires, error: errors.expires },
    choices: [
      ...choices(words.expiresChoices).filter(({ value }) => value === 'never'),
      ...choices(words.expiresChoices).filter(({ value }) => value !== 'never'),
    ],
  })}</div><div class="columns">${textField({
    ...{ name: 'budget', label: words.budget, value: budget, error: errors.budget },
    ...{ help: words.budgetHelp, inputMode: 'decimal', autocomplete: 'off' },
  })}${choiceField({
    ...{ name: 'period', label: words.per, value: period, choices: choices(words.periods) },
  })}</div>${textField({
    ...{ name: 'networks', label: words.networks, value: networks, error: errors.networks },
    ...{ help: words.networksHelp, rows: 3, isCode: true },
  })}</details>`;
}
