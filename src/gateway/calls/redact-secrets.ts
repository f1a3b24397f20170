// Removes secrets from a request before it is stored: keys of this gateway, credentials in
// addresses, and values of parameters and members with secret names.

const SECRET_NAME = /(^|[_-])(token|key|secret|sig|signature|password|auth|credential)s?$/i;
const OWN_KEY = /\b[sa]k-(?:test-)?[a-z2-7]{20,}\b/g;
const ADDRESS = /\bhttps?:\/\/[^\s"'<>]+/gi;

const REDACTED = '[redacted]';

export function redactSecrets(value: unknown): unknown {
  if (typeof value === 'string') return redactText(value);
  if (Array.isArray(value)) return value.map(redactSecrets);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      SECRET_NAME.test(name) && inner !== null ? REDACTED : redactSecrets(inner),
    ]),
  );
}

const redactText = (text: string) =>
  text.replace(OWN_KEY, REDACTED).replace(ADDRESS, (address) => redactAddress(address));

function redactAddress(address: string): string {
  const withoutUser = address.replace(/^(https?:\/\/)[^/?#@]*@/i, `$1${REDACTED}@`);
  return withoutUser.replace(/([?&#;])([^=&#;]+)=([^&#;]*)/g, (match, before, name, inner) =>
    SECRET_NAME.test(name) && inner !== '' ? `${before}${name}=${REDACTED}` : match,
  );
}
