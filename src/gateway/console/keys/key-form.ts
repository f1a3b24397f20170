// Renders and parses the form fields of a key, for creation and editing: its name and its limits.

import { type Html, html } from '../../../kernel/html/html.ts';
import { formatCny, parseTypedCny } from '../../../kernel/money.ts';
import { DAY_MS } from '../../../kernel/time/durations.ts';
import {
  type FieldErrors,
  renderChoiceField,
  renderTextField,
  renderTickField,
} from '../../../kernel/web/forms.ts';
import type { Key, KeyBudgetLimit } from '../../keys/key.ts';
import { findKeyInputProblems, type KeyLimits, MAX_KEY_NAME_LENGTH } from '../../keys/key-input.ts';
import type { KeyKind } from '../../keys/key-text.ts';
import { scopesOf } from '../../keys/scopes.ts';
import type { ConsoleMessages } from '../messages/console.ts';
import type { ConsoleContext } from '../shell/console-context.ts';
import { readField } from './form-input.ts';
import { formatScopes } from './keys.ts';

const listOfferedScopes = (kind: KeyKind, previousScopes: readonly string[]): readonly string[] => [
  ...new Set([...scopesOf(kind), ...previousScopes]),
];

/** Values of the form's fields, as text. */
export type KeyFormValues = {
  readonly kind: KeyKind;
  readonly name: string;
  readonly scopes: readonly string[];
  /** `keep`: unchanged; `never`; or a number of days. */
  readonly expires: string;
  readonly networks: string;
  readonly budget: string;
  readonly period: string;
  /** `yes`: a broken stream is never continued; otherwise empty. */
  readonly neverContinues: string;
};

export const emptyKeyForm = {
  name: '',
  scopes: [],
  expires: 'never',
  networks: '',
  budget: '',
  period: 'month',
  neverContinues: '',
} as const;

/** Returns the form values of an existing key. */
export const toFormValues = ({
  kind,
  name,
  scopes,
  networks,
  budget,
  mayContinue,
  expiresAt,
}: Key): KeyFormValues => ({
  kind,
  name,
  scopes,
  networks: networks.join('\n'),
  expires: expiresAt === null ? 'never' : 'keep',
  budget: budget === null ? '' : formatCny(budget.amount),
  period: budget?.period ?? 'month',
  neverContinues: mayContinue ? '' : 'yes',
});

/**
 * `previousScopes`: the scopes of the existing key. They may contain single models, which the form
 * does not offer.
 */
export function readKeyFormValues(
  form: URLSearchParams,
  kind: KeyKind,
  previousScopes: readonly string[] = [],
): KeyFormValues {
  const offeredScopes = listOfferedScopes(kind, previousScopes);
  return {
    kind,
    name: readField(form, 'name', 1_000),
    scopes: offeredScopes.filter((scope) => form.getAll('scope').includes(scope)),
    expires: readField(form, 'expires', 20),
    networks: (form.get('networks') ?? '').slice(0, 10_000),
    budget: readField(form, 'budget', 40),
    period: readField(form, 'period', 20),
    neverContinues: kind === 'ak' && form.get('never_continues') === 'yes' ? 'yes' : '',
  };
}

type KeyFormResult =
  | { readonly kind: 'limits'; readonly limits: KeyLimits }
  | { readonly kind: 'invalid'; readonly errors: FieldErrors };

/** `mayKeepExpiry`: the key already has an expiry, which may stay. */
export function parseKeyForm(
  messages: ConsoleMessages,
  formInput: KeyFormValues,
  { now, mayKeepExpiry }: { readonly now: number; readonly mayKeepExpiry: boolean },
): KeyFormResult {
  const { name, scopes, expires, period } = formInput;
  const networks = formInput.networks.split(/[\s,]+/).filter(Boolean);
  const budget = readBudget(formInput.budget, period);
  const days = /^\d{1,4}$/.test(expires) ? Number(expires) : null;
  const isExpiryKept = mayKeepExpiry && expires === 'keep';
  // Null: the key never expires. Undefined: its stored expiry is unchanged.
  const chosenExpiry = days === null ? null : now + days * DAY_MS;
  const expiresAt = isExpiryKept ? undefined : chosenExpiry;
  const expiryFields = expiresAt === undefined ? {} : { expiresAt };
  const mayContinue = formInput.neverContinues === '';
  const limits = { name, scopes, networks, budget: budget ?? null, mayContinue, ...expiryFields };
  const problems = findKeyInputProblems(limits, now);
  const isOffered = isExpiryKept || Object.hasOwn(messages.expiresChoices, expires);
  const errors = {
    ...(problems.name && { name: messages.keyNameLength(MAX_KEY_NAME_LENGTH) }),
    ...((!isOffered || problems.expiresAt) && { expires: messages.expiresWrong }),
    ...((budget === undefined || problems.budget) && { budget: messages.budgetWrong }),
    ...(problems.networks && { networks: messages.networksWrong }),
  };
  return Object.keys(errors).length > 0 ? { kind: 'invalid', errors } : { kind: 'limits', limits };
}

/** Returns null for no limit, and undefined for invalid text. */
function readBudget(text: string, period: string): KeyBudgetLimit | null | undefined {
  if (text === '') return null;
  const amount = parseTypedCny(text);
  if (amount === null || amount < 0n) return undefined;
  return period === 'day' || period === 'month' || period === 'total'
    ? { amount, period }
    : undefined;
}

export const renderNameField = (
  { messages }: ConsoleContext,
  { name }: KeyFormValues,
  { name: error }: FieldErrors,
): Html =>
  renderTextField({
    name: 'name',
    label: messages.keyName,
    value: name,
    help: messages.keyNameHelp,
    error,
    isRequired: true,
    autocomplete: 'off',
  });

/** Set for an existing key. `keep`: label of its current expiry; null: the key has no expiry. */
type ExistingKey = { readonly keep?: string | null; readonly previousScopes?: readonly string[] };

export function renderLimitFields(
  { messages, site }: ConsoleContext,
  formInput: KeyFormValues,
  errors: FieldErrors,
  { keep = null, previousScopes = [] }: ExistingKey = {},
): Html {
  const { scopes, expires, networks, budget, period } = formInput;
  const toChoices = (labels: Readonly<Record<string, string>>) =>
    Object.entries(labels).map(([value, label]) => ({ value, label }));
  const expiryChoices = toChoices(messages.expiresChoices);
  // JavaScript lists numeric names first, but "never" is the first choice of the form.
  const neverChoices = expiryChoices.filter(({ value }) => value === 'never');
  const timedChoices = expiryChoices.filter(({ value }) => value !== 'never');
  return html`${renderTickField({
    name: 'scope',
    label: messages.keyScopes,
    help: messages.keyScopesHelp,
    chosen: scopes,
    choices: listOfferedScopes(formInput.kind, previousScopes).map((value) => ({
      value,
      label: formatScopes(site.language, [value]),
    })),
  })}<div class="columns">${renderChoiceField({
    name: 'expires',
    label: messages.expires,
    value: expires,
    error: errors.expires,
    choices: [
      ...(keep === null ? [] : [{ value: 'keep', label: keep }]),
      ...neverChoices,
      ...timedChoices,
    ],
  })}</div><div class="columns">${renderTextField({
    name: 'budget',
    label: messages.budget,
    value: budget,
    error: errors.budget,
    help: messages.budgetHelp,
    inputMode: 'decimal',
    autocomplete: 'off',
  })}${renderChoiceField({
    name: 'period',
    label: messages.per,
    value: period,
    choices: toChoices(messages.periods),
  })}</div>${renderTextField({
    name: 'networks',
    label: messages.networks,
    value: networks,
    error: errors.networks,
    help: messages.networksHelp,
    rows: 3,
    isCode: true,
  })}${
    formInput.kind === 'ak' &&
    renderTickField({
      name: 'never_continues',
      label: messages.brokenStreams,
      help: messages.brokenStreamsHelp,
      chosen: [formInput.neverContinues],
      choices: [{ value: 'yes', label: messages.neverContinue }],
    })
  }`;
}
