// The list of the account's keys in the current mode, active keys first. The page shows the
// beginning and the end of each key, never a whole key.

import { type Html, html } from '../../../kernel/html/html.ts';
import { formatCny } from '../../../kernel/money.ts';
import { renderPageHead } from '../../../kernel/web/form-page.ts';
import { renderDateTime } from '../../../kernel/web/format-time.ts';
import type { Language } from '../../../kernel/web/language.ts';
import { renderListTable, rowHeading, singleLineCell } from '../../../kernel/web/list-table.ts';
import { isEnded, listKeys } from '../../keys/change-keys.ts';
import type { Key } from '../../keys/key.ts';
import type { ConsoleMessages } from '../messages/console.ts';
import { moneyMessages } from '../messages/money.ts';
import type { ConsoleContext, ConsoleRequest, ConsoleResponse } from '../shell/console-context.ts';
import { renderDoneNotice } from '../shell/notice.ts';

export async function keysPage(
  context: ConsoleContext,
  request: ConsoleRequest,
): Promise<ConsoleResponse> {
  const { world, db, messages, account, livemode } = context;
  const keys = (await listKeys(db, account.id)).filter((key) => key.livemode === livemode);
  const now = world.clock.now();
  const endedKeys = keys.filter((key) => isEnded(key, now));
  const activeKeys = keys.filter((key) => !isEnded(key, now));
  const about = livemode ? messages.keysAbout : messages.keysTestAbout;
  const hasKeys = keys.length > 0;
  return {
    kind: 'page',
    title: messages.keys,
    body: html`${renderPageHead(messages.keys, about, hasKeys ? renderMakeLinks(context) : null)}
${renderDoneNotice(context, request)}
${keys.length === 0 && renderEmpty(context)}
${hasKeys && activeKeys.length === 0 && html`<p class="empty">${messages.noKeysHere}</p>`}
${activeKeys.length > 0 && renderKeyTable(context, activeKeys.toReversed())}
${
  endedKeys.length > 0 &&
  html`<details class="spaced"><summary>${messages.endedKeys(endedKeys.length)}</summary>
${renderKeyTable(context, endedKeys.toReversed())}</details>`
}`,
  };
}

function renderMakeLinks({ messages }: ConsoleContext): Html {
  return html`<div class="acts"><a class="button" href="/console/keys/new?kind=sk">\
${messages.newSk}\
</a><a class="button quiet" href="/console/keys/new?kind=ak">${messages.newAk}</a></div>`;
}

function renderEmpty(context: ConsoleContext): Html {
  const { messages } = context;
  return html`<div class="empty"><h2>${messages.noKeys}</h2><p>${messages.noKeysAbout}</p>
<div class="more">${renderMakeLinks(context)}</div></div>`;
}

function renderKeyTable(context: ConsoleContext, keys: readonly Key[]): Html {
  const { messages, site } = context;
  const formatAllowedCalls = ({ kind, scopes }: Key) =>
    scopes.length === 0 ? messages.kindNames[kind] : formatScopes(site.language, scopes);
  const labels = [
    messages.keyName,
    messages.key,
    messages.mayCall,
    messages.budget,
    messages.lastUsed,
    messages.expires,
  ];
  return renderListTable(
    labels.map((label) => ({ label })),
    keys.map((key) => [
      rowHeading(html`<a href="/console/keys/${key.id}">${key.name}</a>`),
      singleLineCell(html`<code>${key.prefix}…${key.last4}</code>`),
      formatAllowedCalls(key),
      formatBudget(messages, key),
      singleLineCell(renderLastUsed(context, key)),
      singleLineCell(
        key.revokedAt !== null ? messages.stateOf.revoked : renderExpiry(context, key),
      ),
    ]),
  );
}

const renderExpiry = (context: ConsoleContext, { expiresAt }: Key) =>
  expiresAt === null ? '–' : renderDateTime(context, expiresAt);

/** Formats the display names of scopes. A scope of a single model stays unchanged. */
export function formatScopes(language: Language, scopes: readonly string[]): string {
  const { names } = moneyMessages(language);
  return scopes.map((scope) => names[scope] ?? scope).join(language === 'en' ? ', ' : '、');
}

export function formatBudget(messages: ConsoleMessages, { budget }: Key): string {
  if (budget === null) return messages.noBudget;
  return messages.budgetOf(`¥${formatCny(budget.amount)}`, budget.period);
}

export function renderLastUsed(
  { messages, site, world }: ConsoleContext,
  { lastUsedAt }: Key,
): Html | string {
  return lastUsedAt === null ? messages.neverUsed : renderDateTime({ site, world }, lastUsedAt);
}
