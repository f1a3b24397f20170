// Makes one call from the console with the code that also handles API calls, so quota, hold, budget
// and idempotency apply. A form that is submitted twice causes one call.
import { type Code, codes } from '../../../kernel/errors/codes.ts';
import { Fault } from '../../../kernel/errors/fault.ts';
import { type Html, html } from '../../../kernel/html/html.ts';
import { parseCny } from '../../../kernel/money.ts';
import { makeOwnCall } from '../../calls/make-own-call.ts';
import type { Capability } from '../../capabilities/capability.ts';
import type { MoneyMessages } from '../messages/money.ts';
import { formatYuan } from '../money/money-parts.ts';
import type { ConsoleContext } from '../shell/console-context.ts';
import { renderResponse } from '../usage/response-part.ts';

export type TryRequest = {
  readonly capability: Capability;
  readonly keyId: string;
  readonly body: Readonly<Record<string, unknown>>;
  /** The price that the page showed, in CNY. No more is charged. */
  readonly maxCharge: string;
  /** Created with the form. */
  readonly formId: string;
};

export type TryResult =
  | {
      readonly kind: 'response';
      readonly requestId: string;
      readonly status: number;
      readonly contentType: string;
      readonly body: Buffer;
      readonly isReplay: boolean;
    }
  | {
      readonly kind: 'refused';
      readonly requestId: string;
      readonly code: Code;
      readonly message: string;
      readonly members: Readonly<Record<string, unknown>>;
    };

export async function tryOnce(context: ConsoleContext, tryRequest: TryRequest): Promise<TryResult> {
  const { calls, world, account } = context;
  const { capability, keyId, body, maxCharge, formId } = tryRequest;
  const requestId = `req_${world.ids.next()}`;
  const isGet = capability.method === 'GET';
  const query = isGet ? String(new URLSearchParams(body as Record<string, string>)) : '';
  try {
    const response = await makeOwnCall(calls, {
      requestId,
      capability,
      query,
      path: capability.path,
      key: { id: keyId, accountId: account.id },
      idempotencyKey: formId,
      prefer: 'idempotent-replay',
      readInput: async () => ({ ...body, max_charge: maxCharge }),
    });
    return { kind: 'response', requestId, ...response };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const { code, message, members, internal } = error;
    if (codes[code].status >= 500) world.log.error({ requestId, code, internal }, message);
    return { kind: 'refused', requestId, code, message, members };
  }
}

export function renderResult(
  context: ConsoleContext,
  result: TryResult,
  messages: MoneyMessages,
): Html {
  return html`<section class="result"><h2 tabindex="-1" data-focus>${messages.result}</h2>
${result.kind === 'response' ? renderResultBody(context, result, messages) : renderRefusal(result)}\
</section>`;
}

type CapabilityResponseBody = {
  readonly request_id?: string;
  readonly charge?: { readonly total?: string };
  readonly data?: { readonly images?: readonly { readonly url?: string }[] };
};

function renderResultBody(
  { site }: ConsoleContext,
  result: Extract<TryResult, { kind: 'response' }>,
  messages: MoneyMessages,
): Html {
  const responseBody = parseBody(result.body);
  const total = parseCny(responseBody?.charge?.total ?? '0') ?? 0n;
  const id = responseBody?.request_id ?? result.requestId;
  const urls = (responseBody?.data?.images ?? []).flatMap(({ url }) =>
    url === undefined ? [] : [url],
  );
  // Only images of this gateway are shown, because the Content-Security-Policy refuses all others.
  const mediaUrls = urls.filter((url) => url.startsWith(`${site.url}/media/`));
  return html`<p class="meta"><span class="positive">${result.status}</span>\
<span>${total > 0n ? messages.resultCharged(formatYuan(total)) : messages.resultFree}</span>\
<span><a href="/console/calls/${id}">${messages.seeCall}</a></span></p>
${result.isReplay && html`<p class="notice">${messages.resultReplayed}</p>`}
${mediaUrls.map((url) => html`<img class="image" src="${url.slice(site.url.length)}" alt="">`)}
${renderResponse(result, messages)}`;
}

function renderRefusal(result: Extract<TryResult, { kind: 'refused' }>): Html {
  const { code, message, requestId, members } = result;
  const { status, title } = codes[code];
  const problem = { title, status, detail: message, code, request_id: requestId, ...members };
  return html`<p class="meta"><span class="negative">${status} ${code}</span></p>
<p class="explains" lang="en">${message}</p>
<pre class="answer" tabindex="0"><code>${JSON.stringify(problem, null, 2)}</code></pre>`;
}

function parseBody(body: Buffer): CapabilityResponseBody | null {
  try {
    return JSON.parse(body.toString('utf8')) as CapabilityResponseBody;
  } catch {
    return null;
  }
}
