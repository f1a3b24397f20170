// Failures of a call, each with a message for the caller and one for the log.
import type { FailureCode, ProviderFailure } from './capability.ts';

export function providerFailure(
  code: FailureCode,
  message: string,
  internal?: string,
): ProviderFailure {
  return { kind: 'failed', code, message, ...(internal !== undefined && { internal }) };
}

/** Failure of a provider that was reached. */
export function upstreamError(internal: string): ProviderFailure {
  return providerFailure('upstream_error', 'The provider answered with an error.', internal);
}

/** No provider is configured, so no retry can succeed. */
export function notConfigured(capabilityName: string): ProviderFailure {
  const message = `${capabilityName} is not available on this service.`;
  return { ...providerFailure('capability_unavailable', message), retryAfterSeconds: null };
}

export function unavailable(internal: string, retryAfterSeconds: number): ProviderFailure {
  const message = 'No provider can take this call right now.';
  return { ...providerFailure('capability_unavailable', message, internal), retryAfterSeconds };
}
