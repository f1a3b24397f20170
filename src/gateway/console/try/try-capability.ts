// Tries a capability from the console. The page shows the price, and the charge never exceeds the
// shown price.

import { type Html, html, nothing } from '../../../kernel/html/html.ts';
import { formatCny, type MicroFen, parseCny, parseTypedCny } from '../../../kernel/money.ts';
import { pageNotFound } from '../../../kernel/web/form-handler.ts';
import { renderPageHead } from '../../../kernel/web/form-page.ts';
import {
  renderButton,
  renderChoiceField,
  renderPostForm,
  renderTextField,
} from '../../../kernel/web/forms.ts';
import { capabilityLabels } from '../../calls/catalog.ts';
import type { Capability } from '../../capabilities/capability.ts';
import type { Key } from '../../keys/key.ts';
import { listKeysFor } from '../keys/key.ts';
import { type MoneyMessages, moneyMessages } from '../messages/money.ts';
import { capabilityName, formatYuan } from '../money/money-parts.ts';
import type { ConsoleContext, ConsoleRequest, ConsoleResponse } from '../shell/console-context.ts';
import { type CapabilityLabel, isTimed, unitPriceOf } from '../usage/price-text.ts';
import { formatCurl, formatPython, formatTypescript, type SampleRequest } from './code-samples.ts';
import { readTryInput, renderTryFields, type TryInput, toBody } from './try-form.ts';
import { renderResult, type TryResult, tryOnce } from './try-once.ts';

const PATH = '/console/catalog';
const EXAMPLE_MAX_CHARGE = '0.60';

type Trial = {
  readonly label: CapabilityLabel;
  /** Null: the console cannot call this capability, and the page shows only examples. */
  readonly capability: Capability | null;
  readonly formInput: TryInput;
  readonly sample: SampleRequest;
  readonly keys: readonly Key[];
  /** Price of a call, or of a minute. */
  readonly price: MicroFen;
};

async function findTrial(
  context: ConsoleContext,
  id: string,
  values: URLSearchParams,
): Promise<Trial> {
  const { capabilities, calls, site } = context;
  const label = capabilityLabels.find(
    ([labelId, , , availability]) => labelId === id && availability === 'live',
  );
  if (label === undefined) throw pageNotFound();
  const capability = capabilities.find((candidate) => candidate.id === id) ?? null;
  const formInput = readTryInput(id, values);
  const [, , endpoint, , kind] = label;
  const [method = 'POST', path = ''] = endpoint.split(' ');
  const body = id === 'chat' ? chatBody : toBody(id, formInput);
  const baseUrl = id === 'chat' ? site.relayUrl : site.url;
  const keys = await listKeysFor(context, { id, kind });
  const price = unitPriceOf(await calls.prices.current(), label);
  const sample = { capability: id, method: method as 'GET' | 'POST', baseUrl, path, body };
  return { label, capability, formInput, sample, keys, price };
}

const chatBody = { model: 'a-model-of-yours', messages: [{ role: 'user', content: 'Hello' }] };

export async function tryPage(
  context: ConsoleContext,
  { params, query }: ConsoleRequest,
): Promise<ConsoleResponse> {
  const trial = await findTrial(context, params.id ?? '', query);
  return renderTrial(context, trial, {
    maxCharge: EXAMPLE_MAX_CHARGE,
    keyId: query.get('key') ?? '',
  });
}

export async function sendTrial(
  context: ConsoleContext,
  { params, form }: ConsoleRequest,
): Promise<ConsoleResponse> {
  const messages = moneyMessages(context.site.language);
  const trial = await findTrial(context, params.id ?? '', form);
  const { capability, keys } = trial;
  const maxCharge = (form.get('most') ?? EXAMPLE_MAX_CHARGE).trim().slice(0, 20);
  const choice = { maxCharge, keyId: form.get('key') ?? '' };
  const key = keys.find(({ id }) => id === choice.keyId);
  // No call is made when the capability or the key cannot be used, or when the form only updates
  // the examples.
  if (capability === null || key === undefined || form.get('update') !== null) {
    return renderTrial(context, trial, choice);
  }
  // The limit of the charge is the price that the page showed. With a price per minute, the limit
  // is the amount that the user entered.
  const allowedCharge = isTimed(trial.label)
    ? parseTypedCny(maxCharge)
    : (parseCny(form.get('shown') ?? '') ?? 0n);
  if (allowedCharge === null || allowedCharge < 0n) {
    return renderTrial(context, trial, { ...choice, maxChargeError: messages.invalidMaxCharge });
  }
  const formId = /^[\w-]{8,60}$/.exec(form.get('once') ?? '')?.[0];
  const result = await tryOnce(context, {
    capability,
    keyId: key.id,
    body: trial.sample.body,
    maxCharge: formatCny(allowedCharge),
    formId: formId ?? context.world.ids.next(),
  });
  return renderTrial(context, trial, { ...choice, tryResult: result });
}

type TryChoice = {
  readonly maxCharge: string;
  readonly keyId: string;
  readonly maxChargeError?: string;
  readonly tryResult?: TryResult;
};

function renderTrial(context: ConsoleContext, trial: Trial, choice: TryChoice): ConsoleResponse {
  const messages = moneyMessages(context.site.language);
  const [id] = trial.label;
  const name = capabilityName(messages, id);
  const { tryResult: result } = choice;
  return {
    kind: 'page',
    ...(choice.maxChargeError && { status: 400 }),
    title: `${messages.tryIt}: ${name}`,
    // The form stays above the result, and the result receives the focus.
    body: html`${renderPageHead(name, messages.does[id] ?? null)}
<div class="two preview trial"><div>
${
  trial.capability === null
    ? html`<p class="explains">${messages.onlyShown}</p>`
    : renderTrialForm(context, trial, choice, messages)
}
</div><div class="samples"><p class="explains">${messages.tryAbout}</p>
${renderSamples(context, trial.sample, messages)}</div></div>
${result ? renderResult(context, result, messages) : nothing}`,
  };
}

function renderTrialForm(
  context: ConsoleContext,
  trial: Trial,
  choice: TryChoice,
  messages: MoneyMessages,
): Html {
  const { label, formInput, keys, price } = trial;
  const [id, , , , kind] = label;
  const fields = renderTryFields(id, formInput, messages);
  const action = `${PATH}/${id}`;
  if (keys.length === 0) {
    return html`<form method="get" action="${action}">${fields}\
${renderButton(messages.update, 'quiet')}</form>
<p class="notice spaced">${messages.noKey(messages.keyKinds[kind])} \
<a href="/console/keys">${messages.makeKey}</a></p>`;
  }
  const isPerMinute = isTimed(label);
  const cost = formatCost({ price, isPerMinute, livemode: context.livemode }, messages);
  return renderPostForm(
    context,
    { action },
    html`<input type="hidden" name="once" value="try-${context.world.ids.next()}">\
<input type="hidden" name="shown" value="${formatCny(price)}">${fields}
${renderChoiceField({
  name: 'key',
  label: messages.useKey,
  value: choice.keyId,
  choices: keys.map((key) => ({
    value: key.id,
    label: `${key.name} (${key.prefix}…${key.last4})`,
  })),
})}${
  isPerMinute &&
  renderTextField({
    name: 'most',
    label: messages.maxChargeInCny,
    value: choice.maxCharge,
    error: choice.maxChargeError,
    inputMode: 'decimal',
    autocomplete: 'off',
  })
}<p class="meta">${cost.about}</p>
<p class="acts spaced">${renderButton(cost.onButton)}
<button class="quiet" name="update" value="1">${messages.update}</button></p>`,
  );
}

function formatCost(
  { price, isPerMinute, livemode }: { price: MicroFen; isPerMinute: boolean; livemode: boolean },
  messages: MoneyMessages,
): { readonly about: string; readonly onButton: string } {
  if (!livemode) return { about: messages.costs.test, onButton: messages.sendTest };
  if (price === 0n) return { about: messages.costs.free, onButton: messages.sendFree };
  if (!isPerMinute)
    return {
      about: messages.costs.call(formatYuan(price)),
      onButton: messages.send(formatYuan(price)),
    };
  return {
    about: messages.costs.minute(formatYuan(price)),
    onButton: messages.send(messages.priceOf.transcribe(formatYuan(price))),
  };
}

function renderSamples(
  { site }: ConsoleContext,
  sample: SampleRequest,
  messages: MoneyMessages,
): Html {
  const tabs = [
    { id: 'curl', name: messages.asCurl, code: formatCurl(sample) },
    {
      id: 'typescript',
      name: messages.asTypescript,
      code: formatTypescript(sample, site.relayUrl),
    },
    { id: 'python', name: messages.asPython, code: formatPython(sample) },
  ];
  return html`<fieldset class="tabs"><legend class="hidden">${messages.tryAbout}</legend>
${tabs.map(
  ({ id, name }, index) => html`<input type="radio" name="sample" id="sample-${id}"\
${index === 0 && html` checked`}><label for="sample-${id}">${name}</label>
`,
)}${tabs.map(
  ({ code }) => html`<div class="panel"><div class="example" data-copy="${messages.copy}" \
data-copied="${messages.copied}"><pre tabindex="0"><code>${code}</code></pre></div></div>
`,
)}</fieldset>`;
}
