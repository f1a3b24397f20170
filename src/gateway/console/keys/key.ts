// The page of one key: limits, last use, rotation and revocation.

import { Fault } from '../../../kernel/errors/fault.ts';
import { type Html, html } from '../../../kernel/html/html.ts';
import { MINUTE_MS } from '../../../kernel/time/durations.ts';
import { renderPageHead } from '../../../kernel/web/form-page.ts';
import { formatDate, renderDateTime } from '../../../kernel/web/format-time.ts';
import { renderButton, renderChoiceField, renderPostForm } from '../../../kernel/web/forms.ts';
import { keyCreatedEvent } from '../../accounts/security-events.ts';
import { isEnded, listKeys, revokeKey, rotateKey } from '../../keys/change-keys.ts';
import type { Key } from '../../keys/key.ts';
import type { ConsoleContext, ConsoleRequest, ConsoleResponse } from '../shell/console-context.ts';
import { renderProblemNotice } from '../shell/layout.ts';
import { redirectWithNotice, renderDoneNotice } from '../shell/notice.ts';
import { formatBudget, formatScopes, renderLastUsed } from './keys.ts';
import { keyShownOncePage } from './shown-once.ts';

export async function requireKey(
  { db, account, messages }: ConsoleContext,
  id: string,
): Promise<Key> {
  const key = (await listKeys(db, account.id)).find((candidate) => candidate.id === id);
  if (key === undefined) throw new Fault('not_found', messages.noSuchKey);
  return key;
}

/** Lists the active keys of the current mode and of one kind that may call a capability. */
export async function listKeysFor(
  { world, db, account, livemode }: ConsoleContext,
  { id, kind }: { readonly id: string; readonly kind: Key['kind'] },
): Promise<readonly Key[]> {
  const now = world.clock.now();
  const isUsable = (key: Key) =>
    key.livemode === livemode && key.kind === kind && !isEnded(key, now);
  const mayCall = ({ scopes }: Key) => scopes.length === 0 || scopes.includes(id);
  return (await listKeys(db, account.id)).filter((key) => isUsable(key) && mayCall(key));
}

export async function keyPage(
  context: ConsoleContext,
  request: ConsoleRequest,
): Promise<ConsoleResponse> {
  const notice = renderDoneNotice(context, request);
  return showKey(context, request.params.id ?? '', { notice, status: 200 });
}

async function showKey(
  context: ConsoleContext,
  id: string,
  { notice, status }: { readonly notice: Html; readonly status: number },
): Promise<ConsoleResponse> {
  const { messages, world } = context;
  const key = await requireKey(context, id);
  const hasEnded = isEnded(key, world.clock.now());
  const editLink = html`<p><a class="button quiet" href="/console/keys/${key.id}/edit">\
${messages.editKey}</a></p>`;
  return {
    kind: 'page',
    status,
    title: key.name,
    body: html`\
${renderPageHead(key.name, null, hasEnded || key.replacedBy !== null ? null : editLink)}
${notice}
${renderFacts(context, key)}
${!hasEnded && key.replacedBy === null && renderRotation(context, key)}
${
  !hasEnded &&
  html`<section class="part"><h2>${messages.revoke}</h2><p class="explains">${messages.revokeAbout}\
</p>
${renderPostForm(
  context,
  { action: `/console/keys/${key.id}/revoke` },
  renderButton(messages.revoke, 'danger'),
)}</section>`
}`,
  };
}

/** Renders the page of the key, with the reason why an action was refused. */
export const showRefusal = (context: ConsoleContext, id: string, reason: string) =>
  showKey(context, id, { notice: renderProblemNotice(reason), status: 409 });

function renderFacts(context: ConsoleContext, key: Key): Html {
  const { messages, site, world } = context;
  const { scopes, networks, createdAt, replacedBy } = key;
  return html`<dl class="facts">
<dt>${messages.key}</dt><dd><code>${key.prefix}…${key.last4}</code> · \
${messages.kindNames[key.kind]} · \
${renderState(context, key)}</dd>
<dt>${messages.mayCall}</dt><dd>\
${scopes.length === 0 ? messages.everything : formatScopes(site.language, scopes)}</dd>
<dt>${messages.budget}</dt><dd>${formatBudget(messages, key)}</dd>
<dt>${messages.networks}</dt><dd>${networks.length === 0 ? messages.anywhere : networks.join(', ')}\
</dd>
${
  !key.mayContinue &&
  html`<dt>${messages.brokenStreams}</dt><dd>${messages.neverContinue}</dd>
`
}<dt>${messages.made}</dt><dd>${renderDateTime({ site, world }, createdAt)}</dd>
<dt>${messages.lastUsed}</dt><dd>${renderLastUsed(context, key)}</dd>
${
  replacedBy !== null &&
  html`<dt>${messages.replacedBy}</dt><dd><a href="/console/keys/${replacedBy}">${replacedBy}</a>\
</dd>`
}</dl>`;
}

function renderState(
  { messages, site, world }: ConsoleContext,
  { revokedAt, expiresAt }: Key,
): Html {
  const { stateOf: stateNames } = messages;
  if (revokedAt !== null) {
    const revokedTime = renderDateTime({ site, world }, revokedAt);
    return html`<span class="negative">${stateNames.revoked}</span> ${revokedTime}`;
  }
  if (expiresAt === null) return html`<span class="positive">${stateNames.active}</span>`;
  const hasExpired = expiresAt <= world.clock.now();
  return html`<span class="${hasExpired ? 'negative' : 'warning'}">\
${hasExpired ? stateNames.expired : stateNames.ending}</span> \
${renderDateTime({ site, world }, expiresAt)}`;
}

/** One day. */
const DEFAULT_OVERLAP_MINUTES = 1_440;

function renderRotation(context: ConsoleContext, { id }: Key): Html {
  const { messages } = context;
  const choices = Object.entries(messages.overlaps).map(([value, label]) => ({ value, label }));
  return html`<section class="part"><h2>${messages.rotate}</h2>
<p class="explains">${messages.rotateAbout}</p>
${renderPostForm(
  context,
  { action: `/console/keys/${id}/rotate`, className: 'bar' },
  html`${renderChoiceField({
    name: 'overlap',
    label: messages.overlap,
    value: String(DEFAULT_OVERLAP_MINUTES),
    choices,
  })}
${renderButton(messages.rotate, 'quiet')}`,
)}</section>`;
}

/** Whether the key of the requested page is a live key. */
export const isLiveKey = async (
  context: ConsoleContext,
  { params }: ConsoleRequest,
): Promise<boolean> => (await requireKey(context, params.id ?? '')).livemode;

export async function rotateOwnKey(
  context: ConsoleContext,
  { params, form, from }: ConsoleRequest,
): Promise<ConsoleResponse> {
  const { world, account, messages, site, limits, securityLog } = context;
  const id = params.id ?? '';
  const overlap = form.get('overlap') ?? '';
  const minutes = Object.hasOwn(messages.overlaps, overlap)
    ? Number(overlap)
    : DEFAULT_OVERLAP_MINUTES;
  const oldKey = await requireKey(context, id);
  const rotation = {
    id,
    overlapMs: minutes * MINUTE_MS,
    maxKeys: limits.keysPerAccount,
    accountId: account.id,
  };
  const owner = { accountId: account.id, origin: from };
  const result = await securityLog.record(owner, async (tx) => {
    const outcome = await rotateKey(world, tx, rotation);
    const event = outcome.kind === 'rotated' ? keyCreatedEvent(oldKey.livemode, oldKey.name) : null;
    return { outcome, event };
  });
  switch (result.kind) {
    case 'rotated':
      return keyShownOncePage(context, {
        title: messages.rotatedTitle,
        about: `${messages.madeAbout} ${messages.rotatedAbout(
          formatDate(site.language, result.oldEndsAt, context.world.clock.now()),
        )}`,
        kind: oldKey.kind,
        key: result.key.text,
        scopes: oldKey.scopes,
      });
    case 'replaced':
      return showRefusal(context, id, messages.rotatedBefore);
    case 'too_many':
      return showRefusal(context, id, messages.tooManyRotations(2 * limits.keysPerAccount));
    case 'ended':
      return showRefusal(context, id, messages.endedBefore);
    case 'not_found':
      throw new Fault('not_found', messages.noSuchKey);
  }
}

export async function revokeOwnKey(
  context: ConsoleContext,
  { params, from }: ConsoleRequest,
): Promise<ConsoleResponse> {
  const { world, account, messages, securityLog } = context;
  const key = await requireKey(context, params.id ?? '');
  const isFound = await securityLog.record({ accountId: account.id, origin: from }, async (tx) => {
    const outcome = await revokeKey(world, tx, key.id, account.id);
    return { outcome, event: outcome ? { kind: 'key_revoked', subject: key.name } : null };
  });
  if (!isFound) throw new Fault('not_found', messages.noSuchKey);
  return redirectWithNotice('/console/keys', 'revoked');
}
