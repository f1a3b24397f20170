// The page that lists the webhook endpoints of the account, with the form for a new endpoint.

import { type Html, html } from '../../../kernel/html/html.ts';
import { renderPageHead } from '../../../kernel/web/form-page.ts';
import {
  type FieldErrors,
  renderButton,
  renderErrorSummary,
  renderPostForm,
} from '../../../kernel/web/forms.ts';
import { renderListTable, rowHeading } from '../../../kernel/web/list-table.ts';
import { addEndpoint, type Endpoint, listEndpoints } from '../../webhooks/endpoints.ts';
import { type WebhookMessages, webhookMessages } from '../messages/webhooks.ts';
import type { ConsoleContext, ConsoleRequest, ConsoleResponse } from '../shell/console-context.ts';
import { renderPageNotice } from '../shell/notice.ts';
import {
  ownerOf,
  readWebhookInput,
  renderSecret,
  renderWebhookFields,
  toErrors,
  type WebhookInput,
} from './webhook-form.ts';

const PATH = '/console/webhooks';

const emptyForm: WebhookInput = {
  url: '',
  events: ['job.finished', 'balance.low', 'budget.reached'],
};

export const webhooksPage = (context: ConsoleContext, request: ConsoleRequest) =>
  showWebhooks(context, request, { formInput: emptyForm, errors: {}, status: 200 });

type WebhooksView = {
  readonly formInput: WebhookInput;
  readonly errors: FieldErrors;
  readonly status: number;
};

async function showWebhooks(
  context: ConsoleContext,
  request: ConsoleRequest,
  { formInput, errors, status }: WebhooksView,
): Promise<ConsoleResponse> {
  const { db, site } = context;
  const messages = webhookMessages(site.language);
  const endpoints = await listEndpoints(db, ownerOf(context));
  return {
    kind: 'page',
    status,
    title: messages.webhooks,
    body: html`${renderPageHead(messages.webhooks, messages.webhooksAbout)}
${renderPageNotice(messages.done, request)}${renderErrorSummary(context, errors)}
<section class="part">${
      endpoints.length === 0
        ? html`<p class="empty">${messages.none}</p>`
        : renderTable(messages, endpoints)
    }
</section>
<section class="part narrow"><h2>${messages.add}</h2>
${renderPostForm(
  context,
  { action: PATH },
  html`${renderWebhookFields(context, formInput, errors)}${renderButton(messages.add)}`,
)}</section>`,
  };
}

function renderTable(messages: WebhookMessages, endpoints: readonly Endpoint[]): Html {
  return renderListTable(
    [
      { label: messages.address },
      { label: messages.deliveredEvents, isSelfExplanatory: true },
      { label: messages.state, isSelfExplanatory: true },
    ],
    endpoints.map(({ id, url, events, state }) => [
      rowHeading(html`<a class="anywhere" href="${PATH}/${id}">${url}</a>`),
      { content: events.join(', '), className: 'mono' },
      { content: messages.states[state], className: state === 'on' ? '' : 'warning' },
    ]),
    { isStacked: true },
  );
}

export async function addWebhook(
  context: ConsoleContext,
  request: ConsoleRequest,
): Promise<ConsoleResponse> {
  const { world, account, site, securityLog } = context;
  const messages = webhookMessages(site.language);
  const formInput = readWebhookInput(request);
  const { url, events } = formInput;
  const owner = { accountId: account.id, origin: request.from };
  const addResult = await securityLog.record(owner, async (tx) => {
    const outcome = await addEndpoint(world, tx, { owner: ownerOf(context), url, events });
    const isAdded = outcome.kind === 'added';
    return { outcome, event: isAdded ? { kind: 'webhook_added', subject: url } : null };
  });
  switch (addResult.kind) {
    case 'added':
      return renderSecretPage(messages, addResult);
    case 'invalid': {
      const errors = toErrors(messages, addResult.problem);
      return showWebhooks(context, request, { formInput, errors, status: 422 });
    }
    case 'known': {
      const errors = { url: messages.known };
      return showWebhooks(context, request, { formInput, errors, status: 409 });
    }
    case 'too_many': {
      const errors = { '': messages.tooMany(addResult.max) };
      return showWebhooks(context, request, { formInput, errors, status: 409 });
    }
  }
}

export function renderSecretPage(
  messages: WebhookMessages,
  { id, secret }: { readonly id: string; readonly secret: string },
): ConsoleResponse {
  return {
    kind: 'page',
    title: messages.secretTitle,
    body: html`${renderPageHead(messages.secretTitle, messages.secretAbout)}
${renderSecret(messages, secret)}
<p class="more"><a class="button" href="${PATH}/${id}">${messages.secretKept}</a></p>`,
  };
}
