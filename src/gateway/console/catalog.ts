// What can be called here, what it costs now, and whether it works; and each tried out. Nothing is
// charged by surprise: the price stands on the button, and is the most that may be charged.
import { pageHead } from '../../kernel/desk/desk-page.ts';
import { button, choiceField, postForm, textField } from '../../kernel/desk/forms.ts';
import { noSuchPage } from '../../kernel/desk/open-door.ts';
import { type Html, html, nothing } from '../../kernel/html/html.ts';
import { formatCny, MICRO_FEN_PER_FEN, type MicroFen, parseCny } from '../../kernel/money.ts';
import { labels, standingOf } from '../calls/catalog.ts';
import { type PriceList, priceOf } from '../calls/prices.ts';
import type { Capability } from '../capabilities/capability.ts';
import { isEnded, listKeys } from '../keys/change-keys.ts';
import type { Key } from '../keys/key.ts';
import { curlSample, pythonSample, type SampleOf, typescriptSample } from './code-samples.ts';
import type { ConsoleAnswer, ConsoleAsked, ConsoleContext } from './console-context.ts';
import { capabilityName, yuan } from './money-parts.ts';
import { bodyOf, type Typed, tryFields, typedIn } from './try-form.ts';
import { shownResult, type Tried, tryOnce } from './try-once.ts';
import { type MoneyWords, moneyWords } from './words-money.ts';

const PATH = '/console/catalog';
const FREE_A_DAY = 200n * MICRO_FEN_PER_FEN;
const MOST_USUAL = '0.60';

type Label = (typeof labels)[number];

export async function catalogPage(context: ConsoleContext): Promise<ConsoleAnswer> {
  const { calls, capabilities, chat, site } = context;
  const words = moneyWords(site.language);
  const list = await calls.prices.current();
  const standing = await standingOf(capabilities, calls.switches, chat);
  return {
    kind: 'page',
    title: words.catalog,
    body: html`${pageHead(words.catalog, words.catalogAbout)}
<p class="explains">${words.catalogFree(yuan(FREE_A_DAY))}</p>
<div class="offer">${labels.map((label) => offered(label, { list, standing, words }))}</div>`,
  };
}

type Known = {
  readonly list: PriceList;
  readonly standing: Awaited<ReturnType<typeof standingOf>>;
  readonly words: MoneyWords;
};

function offered([id, , endpoint, availability, kind, sku]: Label, known: Known): Html {
  const { list, standing, words } = known;
  const { configured, healthy } = standing.get(id) ?? { configured: false, healthy: false };
  const isSoon = availability === 'coming_soon';
  const [tone, said] = isSoon
    ? ['', words.comingSoon]
    : !configured
      ? ['warning', words.notSetUp]
      : healthy
        ? ['positive', words.works]
        : ['negative', words.worksNot];
  return html`<article class="entry"><div>
<h2>${capabilityName(words, id)}</h2>
<p class="says">${words.does[id] ?? ''}</p>
<p class="meta"><span><code>${endpoint}</code></span><span>${words.keyKinds[kind]}</span>\
<span class="${tone}">${said}</span></p></div>
<div class="price"><p>${isSoon ? '' : priceTold(id, sku, list, words)}</p>
${!isSoon && html`<a class="button quiet" href="${PATH}/${id}">${words.tryIt}</a>`}</div>
</article>
`;
}

function priceTold(id: string, sku: Label[5], list: PriceList, words: MoneyWords): string {
  const each = sku === null ? 0n : priceOf(list, { sku, quantity: 1 });
  if (each === 0n) return words.priceOf.free;
  return id === 'transcribe'
    ? words.priceOf.transcribe(yuan(each * 60n))
    : words.priceOf.social(yuan(each));
}

/** What is tried: null where only the examples are shown. */
type Trial = {
  readonly label: Label;
  readonly capability: Capability | null;
  readonly typed: Typed;
  readonly sample: SampleOf;
  readonly keys: readonly Key[];
  /** Of a call; of a minute where it is priced by time. */
  readonly price: MicroFen;
};

async function trialOf(
  context: ConsoleContext,
  id: string,
  values: URLSearchParams,
): Promise<Trial> {
  const { db, account, livemode, world, capabilities, calls, site } = context;
  const label = labels.find(([one, , , availability]) => one === id && availability === 'live');
  if (label === undefined) throw noSuchPage();
  const capability = capabilities.find((one) => one.id === id) ?? null;
  const typed = typedIn(id, values);
  const [method = 'POST', path = ''] = label[2].split(' ');
  const body = id === 'chat' ? chatBody : bodyOf(id, typed);
  const baseUrl = id === 'chat' ? site.relayUrl : site.url;
  const now = world.clock.now();
  const keys = (await listKeys(db, account.id)).filter(
    (key) =>
      key.livemode === livemode &&
      key.kind === label[4] &&
      !isEnded(key, now) &&
      (key.scopes.length === 0 || key.scopes.includes(id)),
  );
  const sku = label[5];
  const each = sku === null ? 0n : priceOf(await calls.prices.current(), { sku, quantity: 1 });
  const price = id === 'transcribe' ? each * 60n : each;
  const sample = { capability: id, method: method as 'GET' | 'POST', baseUrl, path, body };
  return { label, capability, typed, sample, keys, price };
}

const chatBody = { model: 'a-model-of-yours', messages: [{ role: 'user', content: 'Hello' }] };

export async function tryPage(
  context: ConsoleContext,
  { params, query }: ConsoleAsked,
): Promise<ConsoleAnswer> {
  const trial = await trialOf(context, params.id ?? '', query);
  return shown(context, trial, { most: MOST_USUAL, keyId: query.get('key') ?? '' });
}

export async function sendTrial(
  context: ConsoleContext,
  { params, form }: ConsoleAsked,
): Promise<ConsoleAnswer> {
  const words = moneyWords(context.site.language);
  const trial = await trialOf(context, params.id ?? '', form);
  const { capability, keys } = trial;
  const most = (form.get('most') ?? MOST_USUAL).trim().slice(0, 20);
  const chosen = { most, keyId: form.get('key') ?? '' };
  const key = keys.find(({ id }) => id === chosen.keyId);
  if (capability === null || key === undefined || form.get('update') !== null) {
    return shown(context, trial, chosen);
  }
  const isTimed = capability.id === 'transcribe';
  const allowed = isTimed
    ? parseCny(most.replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, ''))
    : trial.price;
  if (allowed === null || allowed < 0n) {
    return shown(context, trial, { ...chosen, mostError: words.badMost });
  }
  const once = /^[\w-]{8,60}$/.exec(form.get('once') ?? '')?.[0];
  const tried = await tryOnce(context, {
    ...{ capability, keyId: key.id, body: trial.sample.body },
    ...{ maxCharge: formatCny(allowed), once: once ?? context.world.ids.next() },
  });
  return shown(context, trial, { ...chosen, tried });
}

type Chosen = {
  readonly most: string;
  readonly keyId: string;
  readonly mostError?: string;
  readonly tried?: Tried;
};

function shown(context: ConsoleContext, trial: Trial, chosen: Chosen): ConsoleAnswer {
  const words = moneyWords(context.site.language);
  const [id] = trial.label;
  const name = capabilityName(words, id);
  const { tried } = chosen;
  return {
    kind: 'page',
    ...(chosen.mostError && { status: 400 }),
    title: `${words.tryIt}: ${name}`,
    body: html`${pageHead(name, words.does[id] ?? null)}
${tried ? shownResult(context, tried, words) : nothing}
<div class="two preview trial"><div>
${
  trial.capability === null
    ? html`<p class="explains">${words.onlyShown}</p>`
    : trialForm(context, trial, chosen, words)
}
</div><div class="samples"><p class="explains">${words.tryAbout}</p>
${samples(context, trial.sample, words)}</div></div>`,
  };
}

function trialForm(context: ConsoleContext, trial: Trial, chosen: Chosen, words: MoneyWords): Html {
  const { label, typed, keys, price } = trial;
  const [id, , , , kind] = label;
  const fields = tryFields(id, typed, words);
  const action = `${PATH}/${id}`;
  if (keys.length === 0) {
    return html`<form method="get" action="${action}">${fields}\
${button(words.update, 'quiet')}</form>
<p class="notice spaced">${words.noKey(words.keyKinds[kind])} \
<a href="/console/keys">${words.makeKey}</a></p>`;
  }
  const isTimed = id === 'transcribe';
  const cost = costTold({ price, isTimed, livemode: context.livemode }, words);
  return postForm(
    context,
    { action },
    html`<input type="hidden" name="once" value="try-${context.world.ids.next()}">${fields}
${choiceField({
  ...{ name: 'key', label: words.useKey, value: chosen.keyId },
  choices: keys.map((key) => ({
    value: key.id,
    label: `${key.name} (${key.prefix}…${key.last4})`,
  })),
})}${
  isTimed &&
  textField({
    ...{ name: 'most', label: words.mostCharge, value: chosen.most, error: chosen.mostError },
    ...{ inputMode: 'decimal', autocomplete: 'off' },
  })
}<p class="meta">${cost.about}</p>
<p class="acts spaced">${button(cost.onButton)}
<button class="quiet" name="update" value="1">${words.update}</button></p>`,
  );
}

function costTold(
  { price, isTimed, livemode }: { price: MicroFen; isTimed: boolean; livemode: boolean },
  words: MoneyWords,
): { readonly about: string; readonly onButton: string } {
  if (!livemode) return { about: words.costs.test, onButton: words.sendTest };
  if (price === 0n) return { about: words.costs.free, onButton: words.sendFree };
  if (!isTimed) return { about: words.costs.call(yuan(price)), onButton: words.send(yuan(price)) };
  return {
    about: words.costs.minute(yuan(price)),
    onButton: words.send(words.priceOf.transcribe(yuan(price))),
  };
}

function samples({ site }: ConsoleContext, sample: SampleOf, words: MoneyWords): Html {
  const one = (name: string, code: string) => html`<h2 class="side">${name}</h2>
<div class="example" data-copy="${words.copy}" data-copied="${words.copied}">\
<pre tabindex="0"><code>${code}</code></pre></div>
`;
  return html`${one(words.asCurl, curlSample(sample))}\
${one(words.asTypescript, typescriptSample(sample, site.relayUrl))}\
${one(words.asPython, pythonSample(sample))}`;
}
