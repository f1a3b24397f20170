// RFC 9110, section 10.2.3, as far as providers use it: whole seconds.

const maxSeconds = 3600;

/** Milliseconds; null when there is none or it is a date, which a foreign clock would spoil. */
export function retryAfterMs(header: string | undefined): number | null {
  if (header === undefined || !/^\d{1,9}$/.test(header.trim())) return null;
  return Math.min(Number(header), maxSeconds) * 1000;
}
