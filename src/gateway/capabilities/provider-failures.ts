// Creates the failures of a call, each with a message for the caller and one for the log.
import type { FailureCode, ProviderFailure } from './capability.ts';

export function providerFailure(
  code: FailureCode,
  message: string,
  internal?: string,
): ProviderFailure {
  return { kind: 'failed', code, message, ...(internal !== undefined && { internal }) };
}

/** The request to a provider failed, or its response cannot be used. */
export function upstreamError(internal: string): ProviderFailure {
  return providerFailure('upstream_error', 'The provider answered with an error.', internal);
}

/** No provider is configured, so no retry can succeed. */
function notConfigured(capabilityName: string): ProviderFailure {
  const message = `${capabilityName} is not available on this service.`;
  return { ...providerFailure('capability_unavailable', message), retryAfterSeconds: null };
}

export function unavailable(internal: string, retryAfterSeconds: number): ProviderFailure {
  const message = 'No provider can take this call right now.';
  return { ...providerFailure('capability_unavailable', message, internal), retryAfterSeconds };
}

/**
 * The failure of a call after all providers failed. The failure of a provider that received the
 * request is more informative than that of a skipped provider.
 */
export function mergeFailures(
  failures: readonly ProviderFailure[],
  capabilityName: string,
): ProviderFailure {
  const internal = failures.map((failure) => failure.internal ?? failure.message).join(' · ');
  const reported = failures.find(({ code }) => code !== 'capability_unavailable') ?? failures[0];
  return reported ? { ...reported, internal } : notConfigured(capabilityName);
}
