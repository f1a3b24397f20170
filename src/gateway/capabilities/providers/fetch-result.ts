// Downloads a provider's result from its temporary URL over the guarded network, without the
// provider's key.
import type { World } from '../../../kernel/world.ts';
import type { ProviderFailure } from '../capability.ts';
import { providerFailure, upstreamError } from '../provider-failures.ts';

export type FetchedBytes =
  | { readonly kind: 'fetched'; readonly bytes: Uint8Array }
  | ProviderFailure;

type ResultServer = {
  readonly url: string;
  readonly timeoutMs: number;
  readonly privateHosts: readonly string[];
};

export async function fetchResult(
  world: World,
  provider: ResultServer,
  request: { readonly url: string; readonly maxBytes: number; readonly signal: AbortSignal },
): Promise<FetchedBytes> {
  const outcome = await world.net.request({
    ...request,
    timeoutMs: provider.timeoutMs,
    isPolite: false,
    privateHosts: [new URL(provider.url).host, ...provider.privateHosts],
  });
  request.signal.throwIfAborted();
  if (outcome.kind === 'failed') {
    return outcome.reason === 'timeout'
      ? providerFailure('upstream_timeout', 'The result did not arrive in time.', outcome.message)
      : upstreamError(`the result: ${outcome.message}`);
  }
  if (outcome.status === 200) return { kind: 'fetched', bytes: outcome.body };
  return upstreamError(`the result's address answered ${outcome.status}: it may have expired`);
}
