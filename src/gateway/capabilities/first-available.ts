// Tries providers of one kind in order; after a failure it uses the next one. A timeout ends the
// search, because the work may still run there and must not run twice.
import type { ProviderFailure } from './capability.ts';
import { notConfigured } from './failed.ts';

export async function firstAvailable<
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
  const internal = failures.map((failure) => failure.internal ?? failure.message).join(' · ');
  const reported = failures.find(({ code }) => code !== 'capability_unavailable') ?? failures[0];
  if (reported) return { ...reported, internal };
  return notConfigured(taskName);
}

function isFailed(result: { readonly kind: string }): result is ProviderFailure {
  return result.kind === 'failed';
}
