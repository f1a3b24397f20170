// Handles POST /relay/v1/messages/count_tokens: an upstream counts the tokens. Without such an
// upstream the relay returns an estimate and marks it. The request is free and creates no hold.
// Relay contract, 1.4.
import { CancelToken } from '../../../kernel/concurrency/cancel-token.ts';
import { messageOf } from '../../../kernel/errors/fault.ts';
import { refuseOtherModels } from '../../relay/allow-models.ts';
import type { ModelRequest } from '../../relay/dialects/dialect.ts';
import {
  conversationText,
  messagesDialect,
  readConversation,
} from '../../relay/dialects/messages.ts';
import { type ForwardedHeaders, headersFor } from '../../relay/run-attempt.ts';
import { readBounded } from '../../relay/upstream/read-bounded.ts';
import type { Upstream } from '../../relay/upstream/upstream.ts';
import { JSON_TYPE, NO_STORE } from '../http-response.ts';
import { readApiKey } from './read-api-key.ts';
import type { RelayContext, RelayRequest, RelayResponse } from './relay-context.ts';
import { isCharged, readForwardedHeaders, requireKeyForRelay, upstreamsFor } from './start-call.ts';

export async function handleCountTokens(
  context: RelayContext,
  received: RelayRequest,
): Promise<RelayResponse> {
  const { client, knownLimits } = received;
  const authorization = readApiKey(received);
  const { key } = await context.admission.admit({ authorization, client, knownLimits });
  requireKeyForRelay(key, isCharged(context, await context.prices.models()));
  const text = await received.readText(messagesDialect.maxBytes);
  await context.admission.admitBody(key, text);
  const request = readConversation(text);
  refuseOtherModels(key.scopes, request.model);
  const headers = readForwardedHeaders(received, messagesDialect);
  for (const upstream of await upstreamsFor(context, messagesDialect, key, request.model)) {
    const count = await requestCount(context, upstream, request, { received, headers });
    if (count !== null) return countResponse(count, {});
  }
  const estimate = await context.counter.of(key.accountId).count(conversationText(request.body));
  return countResponse(estimate, { 'x-relay-warning': 'estimated-count' });
}

function countResponse(
  inputTokens: number,
  extraHeaders: Readonly<Record<string, string>>,
): RelayResponse {
  return {
    kind: 'complete',
    status: 200,
    headers: { 'content-type': JSON_TYPE, 'cache-control': NO_STORE, ...extraHeaders },
    body: JSON.stringify({ input_tokens: inputTokens }),
  };
}

const RESPONSE_MAX_BYTES = 64 * 1024;

type CountInput = { readonly received: RelayRequest; readonly headers: ForwardedHeaders };

/** Null: this upstream cannot count now. */
async function requestCount(
  { world }: RelayContext,
  upstream: Upstream,
  request: ModelRequest,
  { received, headers }: CountInput,
): Promise<number | null> {
  const { countTokens, rules, deadlines } = upstream;
  if (countTokens === null) return null;
  const model = upstream.modelFor(request.model) ?? request.model;
  const body = messagesDialect.upstreamBody(request, { model, includeUsage: true });
  const cancelToken = new CancelToken<'timed_out' | 'disconnected' | 'finished'>();
  const cancelTimeout = deadlines.callAfter(rules.firstTokenMs, () =>
    cancelToken.cancel('timed_out'),
  );
  const onDisconnect = () => cancelToken.cancel('disconnected');
  received.signals.disconnected.on(onDisconnect);
  try {
    const response = await countTokens(body, cancelToken, headersFor(upstream, headers)).send();
    const bytes = await readBounded(response.body, RESPONSE_MAX_BYTES);
    if (response.status !== 200 || bytes === null) return null;
    const { input_tokens: count } = JSON.parse(bytes.toString('utf8')) as Record<string, unknown>;
    return Number.isSafeInteger(count) ? Number(count) : null;
  } catch (error) {
    world.log.warn(
      { upstream: rules.name, error: messageOf(error) },
      'this upstream did not count the tokens; another upstream or an estimate is used',
    );
    return null;
  } finally {
    cancelTimeout();
    received.signals.disconnected.off(onDisconnect);
    cancelToken.cancel('finished');
  }
}
