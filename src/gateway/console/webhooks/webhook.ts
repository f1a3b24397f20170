// Page of one webhook endpoint: settings, signing secret and deliveries.

import { Fault } from '../../../kernel/errors/fault.ts';
import { type Html, html, nothing } from '../../../kernel/html/html.ts';
import type { Db } from '../../../kernel/ports/db.ts';
import { pageHead } from '../../../kernel/web/form-page.ts';
import { dateTime } from '../../../kernel/web/format-time.ts';
import {
  button,
  errorSummary,
  type FieldErrors,
  postForm,
  versionOf,
} from '../../../kernel/web/forms.ts';
import {
  changeEndpoint,
  changeSecret,
  type DeliveryView,
  deliverAgain,
  deliveriesOf,
  type Endpoint,
  type EndpointChangeResult,
  findEndpoint,
  removeEndpoint,
  sendTest,
} from '../../webhooks/endpoints.ts';
import { type WebhookMessages, webhookMessages } from '../messages/webhooks.ts';
import type { ConsoleContext, ConsoleRequest, ConsoleResponse } from '../shell/console-context.ts';
import { problemNotice } from '../shell/layout.ts';
import { pageNotice, redirectWithPageNotice } from '../shell/notice.ts';
import {
  errorsOf,
  ownerOf,
  readWebhookInput,
  type WebhookInput,
  webhookFields,
} from './webhook-form.ts';
import { secretPage } from './webhooks.ts';

const LIST = '/console/webhooks';

const idOf = ({ params }: ConsoleRequest) => params.id ?? '';
const notFound = () => new Fault('not_found', 'There is no such address.');

export async function webhookPage(
  context: ConsoleContext,
  request: ConsoleRequest,
): Promise<ConsoleResponse> {
  return showWebhook(context, request, { formInput: null, errors: {}, status: 200 });
}

type Form = {
  /** The submitted values; null: the stored ones. */
  readonly formInput: (WebhookInput & { readonly isOn: boolean }) | null;
  readonly errors: FieldErrors;
  readonly status: number;
};

async function showWebhook(
  context: ConsoleContext,
  request: ConsoleRequest,
  { formInput, errors, status }: Form,
): Promise<ConsoleResponse> {
  const { db, site } = context;
  const messages = webhookMessages(site.language);
  const owner = ownerOf(context);
  const endpoint = await findEndpoint(db, owner, idOf(request));
  const before = request.query.get('before');
  const found = await deliveriesOf(db, owner, { id: idOf(request), before });
  if (endpoint === null || found === null) throw notFound();
  const { url, events, state } = endpoint;
  const values = formInput ?? { url, events, isOn: state === 'on' };
  return {
    kind: 'page',
    status,
    title: messages.webhooks,
    body: html`${pageHead(endpoint.url, messages.states[state])}
${pageNotice(messages.done, request)}\
${status === 409 ? problemNotice(messages.conflict) : errorSummary(context, errors)}
<div class="pair"><section class="part"><h2>${messages.settings}</h2>
${settings(context, endpoint, values, errors)}</section>
<section class="part">${actionForms(context, endpoint)}</section></div>
<section class="part"><h2>${messages.deliveries}</h2>
${found.deliveries.length === 0 ? html`<p class="empty">${messages.noDeliveries}</p>` : nothing}
${found.deliveries.map((delivery) => deliveryPart(context, endpoint, delivery))}
${pages(messages, { endpoint, before, ...found })}</section>`,
  };
}

function settings(
  context: ConsoleContext,
  { id, version }: Endpoint,
  values: WebhookInput & { readonly isOn: boolean },
  errors: FieldErrors,
): Html {
  const messages = webhookMessages(context.site.language);
  return postForm(
    context,
    { action: `${LIST}/${id}`, version },
    html`${webhookFields(context, values, errors)}
<p class="field ticks"><label><input type="checkbox" name="on" value="yes"\
${values.isOn && html` checked`}><span>${messages.isOn}</span></label></p>
${button(messages.save)}`,
  );
}

function actionForms(context: ConsoleContext, { id, version }: Endpoint): Html {
  const messages = webhookMessages(context.site.language);
  const form = (name: string, label: string, kind: 'quiet' | 'danger') =>
    postForm(context, { action: `${LIST}/${id}/${name}`, version }, button(label, kind));
  return html`${form('test', messages.sendTest, 'quiet')}
<p class="explains spaced">${messages.newSecretAbout}</p>\
${form('secret', messages.newSecret, 'quiet')}
<p class="explains spaced">${messages.removeAbout}</p>${form('remove', messages.remove, 'danger')}`;
}

function deliveryPart(context: ConsoleContext, { id }: Endpoint, delivery: DeliveryView): Html {
  const { language } = context.site;
  const messages = webhookMessages(language);
  const { type, createdAt, state, tries, dueAt, lastError, body, eventId } = delivery;
  const tone = { delivered: 'positive', waiting: 'warning', failed: 'negative' }[state];
  const hasNextTry = state === 'waiting' && tries > 0;
  return html`<details class="delivery"><summary><span>${dateTime(context, createdAt)}</span> \
<b>${messages.eventNames[type]}</b> <span class="${tone}">${messages[state](tries)}</span></summary>
${lastError !== null && html`<p class="detail" lang="en">${lastError}</p>`}\
${
  hasNextTry &&
  html`<p class="meta"><span>${messages.nextTry} ${dateTime(context, dueAt)}</span>\
</p>`
}
<div class="example"><pre><code>${indented(body)}</code></pre></div>
<p class="meta"><span class="mono">${eventId}</span></p>
${
  state !== 'waiting' &&
  postForm(
    context,
    { action: `${LIST}/${id}/again` },
    html`<input type="hidden" name="event" value="${eventId}">${button(messages.again, 'quiet')}`,
  )
}</details>
`;
}

const indented = (body: string) => JSON.stringify(JSON.parse(body), null, 2);

function pages(
  messages: WebhookMessages,
  at: {
    readonly endpoint: Endpoint;
    readonly before: string | null;
    readonly deliveries: readonly DeliveryView[];
    readonly hasMore: boolean;
  },
): Html {
  const path = `${LIST}/${at.endpoint.id}`;
  const last = at.deliveries.at(-1)?.eventId ?? '';
  const older = `${path}?${new URLSearchParams({ before: last })}`;
  const next = html`<a rel="next" href="${older}">${messages.older} →</a>`;
  return html`<p class="more">${at.hasMore && next}
${at.before !== null && html`<a href="${path}">${messages.newest}</a>`}</p>`;
}

export async function saveWebhook(
  context: ConsoleContext,
  request: ConsoleRequest,
): Promise<ConsoleResponse> {
  const formInput = { ...readWebhookInput(request), isOn: request.form.get('on') === 'yes' };
  const target = {
    owner: ownerOf(context),
    id: idOf(request),
    version: versionOf(request.form) ?? 0,
  };
  const changed = await recordChange(context, request, 'webhook_changed', (tx) =>
    changeEndpoint(tx, target, formInput),
  );
  return respondToChange(context, request, changed, formInput);
}

export async function newSecret(
  context: ConsoleContext,
  request: ConsoleRequest,
): Promise<ConsoleResponse> {
  const target = {
    owner: ownerOf(context),
    id: idOf(request),
    version: versionOf(request.form) ?? 0,
  };
  const changed = await recordChange(context, request, 'webhook_secret_changed', (tx) =>
    changeSecret(context.world, tx, target),
  );
  return respondToChange(context, request, changed, null);
}

async function recordChange(
  context: ConsoleContext,
  request: ConsoleRequest,
  kind: 'webhook_changed' | 'webhook_secret_changed',
  change: (tx: Db) => Promise<EndpointChangeResult>,
): Promise<EndpointChangeResult> {
  const { db, account, securityLog } = context;
  const endpoint = await findEndpoint(db, ownerOf(context), idOf(request));
  return securityLog.record({ accountId: account.id, origin: request.from }, async (tx) => {
    const outcome = await change(tx);
    const subject = endpoint?.url ?? null;
    return { outcome, event: outcome.kind === 'changed' ? { kind, subject } : null };
  });
}

function respondToChange(
  context: ConsoleContext,
  request: ConsoleRequest,
  changed: EndpointChangeResult,
  formInput: Form['formInput'],
): ConsoleResponse | Promise<ConsoleResponse> {
  const messages = webhookMessages(context.site.language);
  const id = idOf(request);
  switch (changed.kind) {
    case 'changed':
      return changed.secret === null
        ? redirectWithPageNotice(`${LIST}/${id}`, 'saved')
        : secretPage(messages, { id, secret: changed.secret });
    case 'invalid': {
      const errors = errorsOf(messages, changed.problem);
      return showWebhook(context, request, { formInput, errors, status: 422 });
    }
    case 'stale':
      return showWebhook(context, request, { formInput: null, errors: {}, status: 409 });
    case 'not_found':
      throw notFound();
  }
}

export async function testWebhook(
  context: ConsoleContext,
  request: ConsoleRequest,
): Promise<ConsoleResponse> {
  const { world, db } = context;
  const sent = await sendTest(world, db, ownerOf(context), idOf(request));
  if (sent.kind === 'not_found') throw notFound();
  if (sent.kind === 'too_many') {
    const seconds = Math.max(1, Math.ceil(sent.waitMs / 1000));
    throw new Fault('rate_limited', `Too many tests. Try again in ${seconds} s.`, {
      retryAfterSeconds: seconds,
      inChinese: `测试次数过多，请在 ${seconds} 秒后再试。`,
    });
  }
  return redirectWithPageNotice(`${LIST}/${idOf(request)}`, 'test');
}

export async function removeWebhook(
  context: ConsoleContext,
  request: ConsoleRequest,
): Promise<ConsoleResponse> {
  const { db, account, securityLog } = context;
  const owner = ownerOf(context);
  const subject = (await findEndpoint(db, owner, idOf(request)))?.url ?? null;
  const origin = request.from;
  const isRemoved = await securityLog.record({ accountId: account.id, origin }, async (tx) => {
    const outcome = await removeEndpoint(tx, owner, idOf(request));
    return { outcome, event: outcome ? { kind: 'webhook_removed', subject } : null };
  });
  if (!isRemoved) throw notFound();
  return redirectWithPageNotice(LIST, 'removed');
}

export async function retryDelivery(
  context: ConsoleContext,
  request: ConsoleRequest,
): Promise<ConsoleResponse> {
  const { world, db } = context;
  const target = { id: idOf(request), eventId: request.form.get('event') ?? '' };
  if (!(await deliverAgain(world, db, ownerOf(context), target))) throw notFound();
  return redirectWithPageNotice(`${LIST}/${idOf(request)}`, 'again');
}
