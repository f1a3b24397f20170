// Chooses the content coding of a response. RFC 9110, 12.5.3: the highest weight wins, "*" matches
// unnamed codings, and weight 0 refuses a coding. Among equal weights, br precedes gzip, and gzip
// precedes identity.

export type ContentCoding = 'identity' | 'gzip' | 'br';

const preference: readonly ContentCoding[] = ['br', 'gzip', 'identity'];
const cachedCodings = new Map<string, ContentCoding>();
const MAX_CACHED = 500;
/** Characters. A longer header is not cached. */
const MAX_CACHED_HEADER_LENGTH = 200;

export function negotiateCoding(header: string | undefined): ContentCoding {
  if (header === undefined) return 'identity';
  const cachedCoding = cachedCodings.get(header);
  if (cachedCoding !== undefined) return cachedCoding;
  const coding = negotiate(header);
  if (cachedCodings.size < MAX_CACHED && header.length < MAX_CACHED_HEADER_LENGTH)
    cachedCodings.set(header, coding);
  return coding;
}

function negotiate(header: string): ContentCoding {
  const weights = new Map<string, number>();
  for (const element of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = element.split(';').map((part) => part.trim());
    const weightParameter = parameters.find((parameter) => /^q\s*=/.test(parameter));
    const weight =
      weightParameter === undefined ? 1 : Number(weightParameter.replace(/^q\s*=\s*/, ''));
    // A negative or unreadable weight (NaN) counts as 0.
    if (name !== '') weights.set(name === 'x-gzip' ? 'gzip' : name, weight >= 0 ? weight : 0);
  }
  const wildcardWeight = weights.get('*') ?? 0;
  const rankedCodings = preference
    // Identity is acceptable unless refused, but any requested coding is preferred.
    .map((name) => ({
      name,
      weight: weights.get(name) ?? (name === 'identity' ? 1e-9 : wildcardWeight),
    }))
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight);
  return rankedCodings[0]?.name ?? 'identity';
}
