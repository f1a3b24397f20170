// Parses Retry-After in the form that providers use, whole seconds (RFC 9110, section 10.2.3).

const maxSeconds = 3600;

/** Milliseconds; null when there is none or it is a date, which a foreign clock would spoil. */
export function retryAfterMs(header: string | undefined): number | null {
  if (header === undefined || !/^\d{1,9}$/.test(header.trim())) return null;
  return Math.min(Number(header), maxSeconds) * 1000;
}
