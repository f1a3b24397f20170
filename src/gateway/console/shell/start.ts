// Start page of the console: a first call in three steps with the real addresses of this
// installation. Completed steps are marked.

import { type Html, html, nothing } from '../../../kernel/html/html.ts';
import { renderPageHead } from '../../../kernel/web/form-page.ts';
import { renderDateTime } from '../../../kernel/web/format-time.ts';
import { renderButton, renderPostForm } from '../../../kernel/web/forms.ts';
import { readStatuses } from '../../calls/catalog.ts';
import { isEnded, listKeys } from '../../keys/change-keys.ts';
import type { Key } from '../../keys/key.ts';
import { scopesOf } from '../../keys/scopes.ts';
import { exampleCall } from '../keys/example-call.ts';
import { newFormId } from '../keys/new-key.ts';
import { spendingMessages } from '../messages/spending.ts';
import type { ConsoleContext, ConsoleRequest, ConsoleResponse } from './console-context.ts';
import { formatUnconfirmedAddress, renderInboxNotice } from './layout.ts';
import { renderDoneNotice } from './notice.ts';

export async function startPage(
  context: ConsoleContext,
  request: ConsoleRequest,
): Promise<ConsoleResponse> {
  const { world, db, messages, account, livemode } = context;
  const now = world.clock.now();
  const allKeys = await listKeys(db, account.id);
  const keys = allKeys.filter((key) => key.livemode === livemode && !isEnded(key, now));
  const readyIds = await findReadyIds(context);
  const lastUsedAt = Math.max(0, ...keys.map((key) => key.lastUsedAt ?? 0));
  const title = lastUsedAt > 0 ? messages.startAgainTitle : messages.startTitle;
  return {
    kind: 'page',
    title,
    body: html`\
${renderPageHead(title, livemode ? messages.startAbout.live : messages.startAbout.test)}
${renderDoneNotice(context, request)}${renderUnverifiedNotice(context)}
<ol class="steps">
${renderStep(messages.stepKey, keys.length > 0, context, renderKeyStep(context, keys))}
${renderStep(
  messages.stepCall,
  lastUsedAt > 0,
  context,
  renderCallStep(context, { keys, lastUsedAt, readyIds }),
)}
${renderStep(messages.stepSee, false, context, renderSeeStep(context))}
</ol>
${renderAddresses(context)}`,
  };
}

function renderUnverifiedNotice(context: ConsoleContext): Html {
  const { messages, account, links } = context;
  if (!account.awaitsVerification) return nothing;
  const resend = renderPostForm(
    context,
    { action: '/console/account/verification' },
    renderButton(messages.sendAgain, 'link'),
  );
  return html`<div class="notice"><p>${formatUnconfirmedAddress(context)}</p>\
${links !== null && resend}</div>${renderInboxNotice(context)}`;
}

function renderStep(
  title: string,
  isDone: boolean,
  { messages }: ConsoleContext,
  body: Html,
): Html {
  return html`<li${isDone && html` class="is-done"`}><h2>${title}\
${isDone && html` <span class="positive">${messages.stepDone}</span>`}</h2>
${body}</li>`;
}

function renderKeyStep(context: ConsoleContext, keys: readonly Key[]): Html {
  const { messages: pageMessages, site } = context;
  if (keys.length === 0) {
    const messages = spendingMessages(site.language);
    const fields = [
      ['form_id', newFormId(context)],
      ['kind', 'sk'],
      ['name', messages.firstKeyName],
      ['expires', 'never'],
      ['period', 'month'],
    ] as const;
    const firstKey = renderPostForm(
      context,
      { action: '/console/keys/new' },
      html`${fields.map(
        ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
      )}${renderButton(messages.firstKey)}`,
    );
    return html`<p class="explains">${pageMessages.stepKeyAbout}</p>
${firstKey}
<p class="acts spaced"><a class="button quiet" href="/console/keys/new?kind=sk">\
${pageMessages.newSk}</a>
<a class="button quiet" href="/console/keys/new?kind=ak">${pageMessages.newAk}</a></p>`;
  }
  return html`<p class="explains">${pageMessages.stepKeyDone(keys.length)} \
<a class="link" href="/console/keys">${pageMessages.keys}</a></p>`;
}

/**
 * Returns the capabilities that a first call can use; null in test mode, where every call
 * succeeds.
 */
async function findReadyIds(context: ConsoleContext): Promise<ReadonlySet<string> | null> {
  const { calls, capabilities, chat, livemode } = context;
  if (!livemode) return null;
  const statuses = await readStatuses(capabilities, calls.switches, chat);
  const readyStatuses = [...statuses].filter(
    ([, { configured, healthy }]) => configured && healthy,
  );
  return new Set(readyStatuses.map(([id]) => id));
}

type FirstCall = {
  readonly keys: readonly Key[];
  readonly lastUsedAt: number;
  readonly readyIds: ReadonlySet<string> | null;
};

function renderCallStep(context: ConsoleContext, { keys, lastUsedAt, readyIds }: FirstCall): Html {
  const { messages, site, world } = context;
  // An API key is preferred, because its call has a price and is therefore an example of a charge.
  const newestKey = keys.findLast((key) => key.kind === 'sk') ?? keys.at(-1);
  const kind = newestKey?.kind ?? 'sk';
  const keyScopes = newestKey?.scopes ?? [];
  const allowedScopes = keyScopes.length > 0 ? keyScopes : scopesOf(kind);
  const scopes = readyIds === null ? keyScopes : allowedScopes.filter((id) => readyIds.has(id));
  // The key is in double quotes, within which a shell expands variables.
  const call = exampleCall(site, { kind, key: '$KEY', scopes }).replace(
    /'(Authorization: [^']*)'/,
    '"$1"',
  );
  const lines = `KEY='${messages.pasteKey}'\n${call}`;
  return html`<p class="explains">${messages.stepCallAbout}</p>
<div class="example" data-copy="${messages.copy}" data-copied="${messages.copied}">\
<pre tabindex="0"><code>${lines}</code></pre></div>
${
  lastUsedAt > 0 &&
  html`<p class="explains">${messages.stepCallDone} ${renderDateTime({ site, world }, lastUsedAt)}\
</p>`
}`;
}

function renderSeeStep({ messages }: ConsoleContext): Html {
  return html`<p class="explains">${messages.stepSeeAbout} \
<a class="link" href="/console/calls">${messages.sections['/console/calls']}</a></p>`;
}

function renderAddresses({ messages, site }: ConsoleContext): Html {
  const { addressNames: names } = messages;
  const rows = [
    [names.api, `${site.url}/api/v1`, null],
    [names.relay, `${site.relayUrl}/relay/v1`, null],
    [names.openapi, `${site.url}/openapi.json`, '/openapi.json'],
    [names.mcp, `${site.url}/mcp`, null],
    [names.sdk, `${site.url}/sdk`, '/sdk'],
    [names.skill, `${site.url}/SKILL.md`, '/SKILL.md'],
  ] as const;
  return html`<section class="part"><h2>${messages.addresses}</h2>\
<dl class="facts console-addresses">
${rows.map(
  ([name, url, href]) => html`<dt>${name}</dt><dd>${
    href === null ? html`<code>${url}</code>` : html`<a href="${href}"><code>${url}</code></a>`
  }</dd>
`,
)}</dl></section>`;
}
