// Sets Strict-Transport-Security (RFC 6797) where the public address is https. Browsers then never
// use plain http for this host, so a first request cannot be read or redirected on its way.

const YEAR_SECONDS = 31_536_000;

/**
 * `url` is the site's public address. Subdomains are excluded, because they may run other services.
 */
export function transportSecurity(url: string): Readonly<Record<string, string>> {
  if (!url.startsWith('https:')) return {};
  return { 'strict-transport-security': `max-age=${YEAR_SECONDS}` };
}
