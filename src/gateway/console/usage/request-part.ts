// Renders the stored request of a call, and the form that repeats the request. The button shows the
// maximum charge.
import { type Html, html } from '../../../kernel/html/html.ts';
import { formatCny, type MicroFen, parseCny } from '../../../kernel/money.ts';
import { pageNotFound } from '../../../kernel/web/form-handler.ts';
import { renderButton, renderPostForm } from '../../../kernel/web/forms.ts';
import { priceOf } from '../../calls/prices.ts';
import { findLoggedRequest, isLogOff, type LoggedInput } from '../../calls/request-log.ts';
import type { Capability } from '../../capabilities/capability.ts';
import type { Key } from '../../keys/key.ts';
import { type ExplainedCall, findExplainedCall } from '../../wallet/history/read-statement.ts';
import { listKeysFor } from '../keys/key.ts';
import { requestLogMessages } from '../messages/request-log.ts';
import { formatYuan } from '../money/money-parts.ts';
import type { ConsoleContext, ConsoleRequest } from '../shell/console-context.ts';
import { tryOnce } from '../try/try-once.ts';

export async function renderRequest(context: ConsoleContext, call: ExplainedCall): Promise<Html> {
  const { world, db, account, livemode, site } = context;
  const messages = requestLogMessages(site.language);
  const { requestId } = call;
  const loggedRequest = await findLoggedRequest(world, db, {
    accountId: account.id,
    livemode,
    requestId,
  });
  return html`<section class="part"><h2>${messages.request}</h2>
${
  loggedRequest === null
    ? html`<p class="explains">${await formatMissingReason(context, call)}</p>`
    : html`<pre class="answer" tabindex="0"><code>${JSON.stringify(loggedRequest.body, null, 2)}\
</code></pre>
${await renderRepeatForm(context, call, loggedRequest)}`
}
<p class="meta"><a class="link" href="/console/account#request-log">${messages.setting}</a></p>
</section>`;
}

async function formatMissingReason(
  { db, account, site }: ConsoleContext,
  { capability }: ExplainedCall,
): Promise<string> {
  const messages = requestLogMessages(site.language);
  if (capability === 'chat') return messages.relay;
  return (await isLogOff(db, account.id)) ? messages.isOff : messages.expired;
}

/** The request to repeat, its key, and the maximum price. */
type Repetition = {
  readonly capability: Capability;
  readonly key: Key;
  readonly price: MicroFen;
  /** The price depends on a measurement; `price` is the limit. */
  readonly isMeasured: boolean;
};

async function findRepetition(
  context: ConsoleContext,
  call: ExplainedCall,
  { body }: LoggedInput,
): Promise<Repetition | 'no_key' | 'unavailable'> {
  const capability = context.capabilities.find(({ id }) => id === call.capability);
  const input = capability?.input.safeParse(body);
  if (capability === undefined || !input?.success) return 'unavailable';
  const keys = await listKeysFor(context, { id: capability.id, kind: capability.key });
  const key = keys.find(({ id }) => id === call.keyId) ?? keys[0];
  if (key === undefined) return 'no_key';
  const quote = capability.quote(input.data);
  const quotedPrice = priceOf(await context.calls.prices.current(), quote);
  const isMeasured = call.price.unit === 'second';
  // A measured call can cost more than its quote. The hold of the first call is then the limit.
  const price = isMeasured && call.price.held > quotedPrice ? call.price.held : quotedPrice;
  return { capability, key, price, isMeasured };
}

async function renderRepeatForm(
  context: ConsoleContext,
  call: ExplainedCall,
  loggedInput: LoggedInput,
): Promise<Html> {
  const { world, livemode, site } = context;
  const messages = requestLogMessages(site.language);
  if (loggedInput.isRedacted) return html`<p class="explains">${messages.redacted}</p>`;
  const repetition = await findRepetition(context, call, loggedInput);
  if (repetition === 'no_key') return html`<p class="explains">${messages.noKey}</p>`;
  if (repetition === 'unavailable') {
    return html`<p class="explains">${messages.unavailable}</p>`;
  }
  const { price, isMeasured } = repetition;
  const label = isMeasured
    ? messages.sendAgainUpTo(formatYuan(price))
    : messages.sendAgainFor(formatYuan(price));
  const isCharged = livemode && price > 0n;
  const freeText = livemode ? messages.sendAgainFree : messages.sendAgainTest;
  const about = isCharged ? messages.sendAgainAbout : freeText;
  const onButton = isCharged ? label : messages.sendAgain;
  return renderPostForm(
    context,
    { action: `/console/calls/${call.requestId}/again` },
    html`<input type="hidden" name="once" value="again-${world.ids.next()}">\
<input type="hidden" name="shown" value="${formatCny(price)}">
<p class="meta">${about}</p><p class="acts">${renderButton(onButton, 'quiet')}</p>`,
  );
}

/** Sends the stored request as a new call. The caller shows the result. */
export async function repeatCall(
  context: ConsoleContext,
  { params, form }: ConsoleRequest,
): Promise<{
  readonly requestId: string;
  readonly tryResult: Awaited<ReturnType<typeof tryOnce>>;
}> {
  const { world, db, account, livemode } = context;
  const requestId = params.requestId ?? '';
  const wallet = { accountId: account.id, livemode };
  const foundCall = await findExplainedCall(world, db, wallet, requestId);
  const loggedRequest = await findLoggedRequest(world, db, { ...wallet, requestId });
  if (foundCall === null || loggedRequest === null || loggedRequest.isRedacted)
    throw pageNotFound();
  const repetition = await findRepetition(context, foundCall.call, loggedRequest);
  if (typeof repetition === 'string') throw pageNotFound();
  const displayedPrice = parseCny(form.get('shown') ?? '') ?? 0n;
  const formId = /^again-[\w-]{8,60}$/.exec(form.get('once') ?? '')?.[0];
  const result = await tryOnce(context, {
    capability: repetition.capability,
    keyId: repetition.key.id,
    body: loggedRequest.body as Readonly<Record<string, unknown>>,
    maxCharge: formatCny(displayedPrice < 0n ? 0n : displayedPrice),
    formId: formId ?? `again-${world.ids.next()}`,
  });
  return { requestId, tryResult: result };
}
