// Webhook endpoints of the account, and the form for a new one.

import { type Html, html } from '../../../kernel/html/html.ts';
import { pageHead } from '../../../kernel/web/form-page.ts';
import { button, errorSummary, type FieldErrors, postForm } from '../../../kernel/web/forms.ts';
import { addEndpoint, type Endpoint, listEndpoints } from '../../webhooks/endpoints.ts';
import { type WebhookWords, webhookWords } from '../messages/webhooks.ts';
import type { ConsoleContext, ConsoleRequest, ConsoleResponse } from '../shell/console-context.ts';
import { pageNotice } from '../shell/notice.ts';
import {
  errorsOf,
  ownerOf,
  secretPart,
  type TypedWebhook,
  typedWebhook,
  webhookFields,
} from './webhook-form.ts';

const PATH = '/console/webhooks';

const fresh: TypedWebhook = { url: '', events: ['job.finished', 'balance.low', 'budget.reached'] };

export const webhooksPage = (context: ConsoleContext, request: ConsoleRequest) =>
  showWebhooks(context, request, { typed: fresh, errors: {}, status: 200 });

type Form = {
  readonly typed: TypedWebhook;
  readonly errors: FieldErrors;
  readonly status: number;
};

async function showWebhooks(
  context: ConsoleContext,
  request: ConsoleRequest,
  { typed, errors, status }: Form,
): Promise<ConsoleResponse> {
  const { db, site } = context;
  const words = webhookWords(site.language);
  const all = await listEndpoints(db, ownerOf(context));
  return {
    kind: 'page',
    status,
    title: words.webhooks,
    body: html`${pageHead(words.webhooks, words.webhooksAbout)}
${pageNotice(words.done, request)}${errorSummary(context, errors)}
<section class="part">${
      all.length === 0 ? html`<p class="empty">${words.none}</p>` : table(words, all)
    }
</section>
<section class="part narrow"><h2>${words.add}</h2>
${postForm(
  context,
  { action: PATH },
  html`${webhookFields(context, typed, errors)}${button(words.add)}`,
)}</section>`,
  };
}

function table(words: WebhookWords, all: readonly Endpoint[]): Html {
  return html`<div class="scroll"><table class="list stacks"><thead><tr>\
<th scope="col">${words.address}</th><th scope="col">${words.deliveredEvents}</th>\
<th scope="col">${words.state}</th></tr></thead><tbody>
${all.map(
  ({
    id,
    url,
    events,
    state,
  }) => html`<tr><th scope="row"><a class="anywhere" href="${PATH}/${id}">\
${url}</a></th><td class="mono">${events.join(', ')}</td>\
<td${state !== 'on' && html` class="warning"`}>${words.states[state]}</td></tr>
`,
)}</tbody></table></div>`;
}

export async function addWebhook(
  context: ConsoleContext,
  request: ConsoleRequest,
): Promise<ConsoleResponse> {
  const { world, account, site, securityLog } = context;
  const words = webhookWords(site.language);
  const typed = typedWebhook(request);
  const { url, events } = typed;
  const owner = { accountId: account.id, origin: request.from };
  const added = await securityLog.record(owner, async (tx) => {
    const outcome = await addEndpoint(world, tx, { owner: ownerOf(context), url, events });
    const isAdded = outcome.kind === 'added';
    return { outcome, event: isAdded ? { kind: 'webhook_added', subject: url } : null };
  });
  switch (added.kind) {
    case 'added':
      return secretPage(words, added);
    case 'invalid': {
      const errors = errorsOf(words, added.problem);
      return showWebhooks(context, request, { typed, errors, status: 422 });
    }
    case 'known': {
      const errors = { url: words.known };
      return showWebhooks(context, request, { typed, errors, status: 409 });
    }
    case 'too_many': {
      const errors = { '': words.tooMany(added.most) };
      return showWebhooks(context, request, { typed, errors, status: 409 });
    }
  }
}

export function secretPage(
  words: WebhookWords,
  { id, secret }: { readonly id: string; readonly secret: string },
): ConsoleResponse {
  return {
    kind: 'page',
    title: words.secretTitle,
    body: html`${pageHead(words.secretTitle, words.secretAbout)}
${secretPart(words, secret)}
<p class="more"><a class="button" href="${PATH}/${id}">${words.secretKept}</a></p>`,
  };
}
