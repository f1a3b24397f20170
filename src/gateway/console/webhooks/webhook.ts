// The page of one webhook endpoint: settings, signing secret and deliveries.

import { Fault } from '../../../kernel/errors/fault.ts';
import { type Html, html, nothing } from '../../../kernel/html/html.ts';
import type { Db } from '../../../kernel/ports/db.ts';
import { renderPageHead } from '../../../kernel/web/form-page.ts';
import { renderDateTime } from '../../../kernel/web/format-time.ts';
import {
  type FieldErrors,
  renderButton,
  renderErrorSummary,
  renderPostForm,
  versionOf,
} from '../../../kernel/web/forms.ts';
import {
  changeEndpoint,
  changeSecret,
  type DeliveryView,
  type Endpoint,
  type EndpointChangeResult,
  findEndpoint,
  listEndpointDeliveries,
  removeEndpoint,
  repeatDelivery,
  sendTest,
} from '../../webhooks/endpoints.ts';
import { type WebhookMessages, webhookMessages } from '../messages/webhooks.ts';
import type { ConsoleContext, ConsoleRequest, ConsoleResponse } from '../shell/console-context.ts';
import { renderProblemNotice } from '../shell/layout.ts';
import { redirectWithPageNotice, renderPageNotice } from '../shell/notice.ts';
import {
  ownerOf,
  readWebhookInput,
  renderWebhookFields,
  toErrors,
  type WebhookInput,
} from './webhook-form.ts';
import { renderSecretPage } from './webhooks.ts';

const LIST_PATH = '/console/webhooks';

const endpointIdOf = ({ params }: ConsoleRequest) => params.id ?? '';
const notFound = () => new Fault('not_found', 'There is no such address.');

export async function webhookPage(
  context: ConsoleContext,
  request: ConsoleRequest,
): Promise<ConsoleResponse> {
  return showWebhook(context, request, { formInput: null, errors: {}, status: 200 });
}

type WebhookView = {
  /** The submitted values; null: the stored values are shown. */
  readonly formInput: (WebhookInput & { readonly isOn: boolean }) | null;
  readonly errors: FieldErrors;
  readonly status: number;
};

async function showWebhook(
  context: ConsoleContext,
  request: ConsoleRequest,
  { formInput, errors, status }: WebhookView,
): Promise<ConsoleResponse> {
  const { db, site } = context;
  const messages = webhookMessages(site.language);
  const owner = ownerOf(context);
  const endpoint = await findEndpoint(db, owner, endpointIdOf(request));
  const beforeId = request.query.get('before');
  const deliveryPage = await listEndpointDeliveries(db, owner, {
    id: endpointIdOf(request),
    before: beforeId,
  });
  if (endpoint === null || deliveryPage === null) throw notFound();
  const { deliveries } = deliveryPage;
  const { url, events, state } = endpoint;
  const values = formInput ?? { url, events, isOn: state === 'on' };
  return {
    kind: 'page',
    status,
    title: messages.webhooks,
    body: html`${renderPageHead(endpoint.url, messages.states[state])}
${renderPageNotice(messages.done, request)}\
${status === 409 ? renderProblemNotice(messages.conflict) : renderErrorSummary(context, errors)}
<div class="pair"><section class="part"><h2>${messages.settings}</h2>
${renderSettings(context, endpoint, values, errors)}</section>
<section class="part">${renderActions(context, endpoint)}</section></div>
<section class="part"><h2>${messages.deliveries}</h2>
${deliveries.length === 0 ? html`<p class="empty">${messages.noDeliveries}</p>` : nothing}
${deliveries.map((delivery) => renderDelivery(context, endpoint, delivery))}
${renderPages(messages, { endpoint, before: beforeId, ...deliveryPage })}</section>`,
  };
}

function renderSettings(
  context: ConsoleContext,
  { id, version }: Endpoint,
  values: WebhookInput & { readonly isOn: boolean },
  errors: FieldErrors,
): Html {
  const messages = webhookMessages(context.site.language);
  return renderPostForm(
    context,
    { action: `${LIST_PATH}/${id}`, version },
    html`${renderWebhookFields(context, values, errors)}
<p class="field ticks"><label><input type="checkbox" name="on" value="yes"\
${values.isOn && html` checked`}><span>${messages.isOn}</span></label></p>
${renderButton(messages.save)}`,
  );
}

function renderActions(context: ConsoleContext, { id, version }: Endpoint): Html {
  const messages = webhookMessages(context.site.language);
  const renderForm = (name: string, label: string, kind: 'quiet' | 'danger') =>
    renderPostForm(
      context,
      { action: `${LIST_PATH}/${id}/${name}`, version },
      renderButton(label, kind),
    );
  return html`${renderForm('test', messages.sendTest, 'quiet')}
<p class="explains spaced">${messages.newSecretAbout}</p>\
${renderForm('secret', messages.newSecret, 'quiet')}
<p class="explains spaced">${messages.removeAbout}</p>\
${renderForm('remove', messages.remove, 'danger')}`;
}

function renderDelivery(context: ConsoleContext, { id }: Endpoint, delivery: DeliveryView): Html {
  const { language } = context.site;
  const messages = webhookMessages(language);
  const { type, createdAt, state, tries, dueAt, lastError, body, eventId } = delivery;
  const tone = { delivered: 'positive', waiting: 'warning', failed: 'negative' }[state];
  const hasNextTry = state === 'waiting' && tries > 0;
  return html`<details class="delivery"><summary><span>${renderDateTime(context, createdAt)}\
</span> \
<b>${messages.eventNames[type]}</b> <span class="${tone}">${messages[state](tries)}</span></summary>
${lastError !== null && html`<p class="detail" lang="en">${lastError}</p>`}\
${
  hasNextTry &&
  html`<p class="meta"><span>${messages.nextTry} ${renderDateTime(context, dueAt)}</span>\
</p>`
}
<div class="example"><pre><code>${formatBody(body)}</code></pre></div>
<p class="meta"><span class="mono">${eventId}</span></p>
${
  state !== 'waiting' &&
  renderPostForm(
    context,
    { action: `${LIST_PATH}/${id}/again` },
    html`<input type="hidden" name="event" value="${eventId}">\
${renderButton(messages.again, 'quiet')}`,
  )
}</details>
`;
}

const formatBody = (body: string) => JSON.stringify(JSON.parse(body), null, 2);

function renderPages(
  messages: WebhookMessages,
  list: {
    readonly endpoint: Endpoint;
    readonly before: string | null;
    readonly deliveries: readonly DeliveryView[];
    readonly hasMore: boolean;
  },
): Html {
  const path = `${LIST_PATH}/${list.endpoint.id}`;
  const lastEventId = list.deliveries.at(-1)?.eventId ?? '';
  const olderLink = `${path}?${new URLSearchParams({ before: lastEventId })}`;
  const nextPage = html`<a rel="next" href="${olderLink}">${messages.older} →</a>`;
  return html`<p class="more">${list.hasMore && nextPage}
${list.before !== null && html`<a href="${path}">${messages.newest}</a>`}</p>`;
}

export async function saveWebhook(
  context: ConsoleContext,
  request: ConsoleRequest,
): Promise<ConsoleResponse> {
  const formInput = { ...readWebhookInput(request), isOn: request.form.get('on') === 'yes' };
  const target = {
    owner: ownerOf(context),
    id: endpointIdOf(request),
    version: versionOf(request.form) ?? 0,
  };
  const changeResult = await recordChange(context, request, 'webhook_changed', (tx) =>
    changeEndpoint(tx, target, formInput),
  );
  return respondToChange(context, request, changeResult, formInput);
}

export async function replaceSecret(
  context: ConsoleContext,
  request: ConsoleRequest,
): Promise<ConsoleResponse> {
  const target = {
    owner: ownerOf(context),
    id: endpointIdOf(request),
    version: versionOf(request.form) ?? 0,
  };
  const changeResult = await recordChange(context, request, 'webhook_secret_changed', (tx) =>
    changeSecret(context.world, tx, target),
  );
  return respondToChange(context, request, changeResult, null);
}

async function recordChange(
  context: ConsoleContext,
  request: ConsoleRequest,
  kind: 'webhook_changed' | 'webhook_secret_changed',
  change: (tx: Db) => Promise<EndpointChangeResult>,
): Promise<EndpointChangeResult> {
  const { db, account, securityLog } = context;
  const endpoint = await findEndpoint(db, ownerOf(context), endpointIdOf(request));
  return securityLog.record({ accountId: account.id, origin: request.from }, async (tx) => {
    const outcome = await change(tx);
    const subject = endpoint?.url ?? null;
    return { outcome, event: outcome.kind === 'changed' ? { kind, subject } : null };
  });
}

function respondToChange(
  context: ConsoleContext,
  request: ConsoleRequest,
  result: EndpointChangeResult,
  formInput: WebhookView['formInput'],
): ConsoleResponse | Promise<ConsoleResponse> {
  const messages = webhookMessages(context.site.language);
  const id = endpointIdOf(request);
  switch (result.kind) {
    case 'changed':
      return result.secret === null
        ? redirectWithPageNotice(`${LIST_PATH}/${id}`, 'saved')
        : renderSecretPage(messages, { id, secret: result.secret });
    case 'invalid': {
      const errors = toErrors(messages, result.problem);
      return showWebhook(context, request, { formInput, errors, status: 422 });
    }
    case 'conflict':
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
  const sendResult = await sendTest(world, db, ownerOf(context), endpointIdOf(request));
  if (sendResult.kind === 'not_found') throw notFound();
  if (sendResult.kind === 'too_many') {
    const seconds = Math.max(1, Math.ceil(sendResult.waitMs / 1000));
    throw new Fault('rate_limited', `Too many tests. Try again in ${seconds} s.`, {
      retryAfterSeconds: seconds,
      inChinese: `测试次数过多，请在 ${seconds} 秒后再试。`,
    });
  }
  return redirectWithPageNotice(`${LIST_PATH}/${endpointIdOf(request)}`, 'test');
}

export async function removeWebhook(
  context: ConsoleContext,
  request: ConsoleRequest,
): Promise<ConsoleResponse> {
  const { db, account, securityLog } = context;
  const owner = ownerOf(context);
  const subject = (await findEndpoint(db, owner, endpointIdOf(request)))?.url ?? null;
  const origin = request.from;
  const isRemoved = await securityLog.record({ accountId: account.id, origin }, async (tx) => {
    const outcome = await removeEndpoint(tx, owner, endpointIdOf(request));
    return { outcome, event: outcome ? { kind: 'webhook_removed', subject } : null };
  });
  if (!isRemoved) throw notFound();
  return redirectWithPageNotice(LIST_PATH, 'removed');
}

export async function retryDelivery(
  context: ConsoleContext,
  request: ConsoleRequest,
): Promise<ConsoleResponse> {
  const { world, db } = context;
  const target = { id: endpointIdOf(request), eventId: request.form.get('event') ?? '' };
  if (!(await repeatDelivery(world, db, ownerOf(context), target))) throw notFound();
  return redirectWithPageNotice(`${LIST_PATH}/${endpointIdOf(request)}`, 'again');
}
