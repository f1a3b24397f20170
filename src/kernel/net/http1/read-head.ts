// Parses the head of an HTTP/1.1 response (RFC 9112). An ambiguous head is refused, because its
// body could be read as the next response.

export type ResponseHead = {
  readonly status: number;
  /** Names are in lower case; repeated lines are joined by commas. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly framing: BodyLength;
  /** The server keeps the connection open for another request. */
  readonly isPersistent: boolean;
};

/** The framing of the body (RFC 9112, 6.3): a length, chunks, or the end of the connection. */
export type BodyLength = number | 'chunked' | 'until_close';

/** RFC 9110, 5.6.2. */
const tokenPattern = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
/**
 * RFC 9110, 5.5: the tab is the only permitted control character, and line ends occur only as CRLF.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern finds control characters
const forbiddenInValue = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f]|\r(?!\n)|(?<!\r)\n/;
const statusLine = /^HTTP\/1\.([01]) ([1-9]\d\d)(?: |$)/;

/** `text` is latin1 without the final empty line. Throws an Error that names the defect. */
export function readHead(text: string): ResponseHead {
  const [first = '', ...lines] = text.split('\r\n');
  const statusMatch = statusLine.exec(first);
  if (statusMatch === null || forbiddenInValue.test(text)) throw new Error(NOT_HTTP);
  const headers: Record<string, string | undefined> = Object.create(null);
  for (const line of lines) {
    const colon = line.indexOf(':');
    const name = line.slice(0, Math.max(colon, 0));
    if (!tokenPattern.test(name)) throw new Error(NOT_HTTP);
    const key = name.toLowerCase();
    const value = line.slice(colon + 1).trim();
    const previousValue = headers[key];
    headers[key] = previousValue === undefined ? value : `${previousValue}, ${value}`;
  }
  const isHttp10 = statusMatch[1] === '0';
  const status = Number(statusMatch[2]);
  const framing = framingOf(status, headers, isHttp10);
  const isClosing = isHttp10 || /(^|,)\s*close\s*(,|$)/i.test(headers.connection ?? '');
  return { status, headers, framing, isPersistent: !isClosing && framing !== 'until_close' };
}

const NOT_HTTP = 'the response is not HTTP';

function framingOf(
  status: number,
  headers: ResponseHead['headers'],
  isHttp10: boolean,
): BodyLength {
  const coding = headers['transfer-encoding'];
  const length = headers['content-length'];
  if (status < 200 || status === 204 || status === 304) return 0;
  if (coding !== undefined) {
    // A length together with chunked coding may be request smuggling (RFC 9112, 6.1). Other codings
    // were not requested.
    const isOnlyChunked = coding.toLowerCase() === 'chunked' && length === undefined && !isHttp10;
    if (!isOnlyChunked) throw new Error('the length of the response is ambiguous');
    return 'chunked';
  }
  if (length === undefined) return 'until_close';
  const [firstLength = '', ...otherLengths] = length.split(/\s*,\s*/);
  if (!/^\d{1,15}$/.test(firstLength) || otherLengths.some((other) => other !== firstLength)) {
    throw new Error('the length of the response is ambiguous');
  }
  return Number(firstLength);
}
