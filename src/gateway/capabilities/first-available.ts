// Calls providers of one kind in order until a provider succeeds. After a timeout no other provider
// is called: the first provider may still do the work, and the work must not run twice.
import type { ProviderFailure } from './capability.ts';
import { mergeFailures } from './provider-failures.ts';

export async function callFirstAvailable<
  P extends { readonly name: string },
  A extends { kind: string },
>(
  providers: readonly P[],
  /** The capability's name for customers: `Text to image`. */
  taskName: string,
  callProvider: (provider: P) => Promise<A | ProviderFailure>,
): Promise<A | ProviderFailure> {
  const failures: ProviderFailure[] = [];
  for (const provider of providers) {
    const result = await callProvider(provider);
    if (!isFailed(result) || result.code === 'upstream_timeout') return result;
    failures.push(result);
  }
  return mergeFailures(failures, taskName);
}

function isFailed(result: { readonly kind: string }): result is ProviderFailure {
  return result.kind === 'failed';
}
