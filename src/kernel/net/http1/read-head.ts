// Parses the head of an HTTP/1.1 response (RFC 9112). An ambiguous head is refused, because its
// body could be read as the next response.

export type ResponseHead = {
  readonly status: number;
  /** Names are in lower case; repeated lines are joined by commas. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly framing: BodyLength;
  /** The server keeps the connection open for another request. */
  readonly isKept: boolean;
};

/** The framing of the body (RFC 9112, 6.3): a length, chunks, or the end of the connection. */
export type BodyLength = number | 'chunked' | 'until_close';

/** RFC 9110, 5.6.2. */
const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
/** RFC 9110, 5.5: no control characters but the tab, and line ends only in pairs. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const forbidden = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f]|\r(?!\n)|(?<!\r)\n/;
const statusLine = /^HTTP\/1\.([01]) ([1-9]\d\d)(?: |$)/;

/** `text` is latin1 without the final empty line. Throws an Error that names the defect. */
export function readHead(text: string): ResponseHead {
  const [first = '', ...lines] = text.split('\r\n');
  const statusMatch = statusLine.exec(first);
  if (statusMatch === null || forbidden.test(text)) throw new Error(NO_ANSWER);
  const headers: Record<string, string | undefined> = Object.create(null);
  for (const line of lines) {
    const colon = line.indexOf(':');
    const name = line.slice(0, Math.max(colon, 0));
    if (!token.test(name)) throw new Error(NO_ANSWER);
    const key = name.toLowerCase();
    const value = line.slice(colon + 1).trim();
    const before = headers[key];
    headers[key] = before === undefined ? value : `${before}, ${value}`;
  }
  const isOld = statusMatch[1] === '0';
  const status = Number(statusMatch[2]);
  const framing = framingOf(status, headers, isOld);
  const isClosing = isOld || /(^|,)\s*close\s*(,|$)/i.test(headers.connection ?? '');
  return { status, headers, framing, isKept: !isClosing && framing !== 'until_close' };
}

const NO_ANSWER = 'what came is no HTTP answer';

function framingOf(status: number, headers: ResponseHead['headers'], isOld: boolean): BodyLength {
  const coding = headers['transfer-encoding'];
  const length = headers['content-length'];
  if (status < 200 || status === 204 || status === 304) return 0;
  if (coding !== undefined) {
    // A length beside chunked coding is a sign of smuggling (RFC 9112, 6.1). Other codings were not
    // requested.
    const isPlain = coding.toLowerCase() === 'chunked' && length === undefined && !isOld;
    if (!isPlain) throw new Error('the length of the response is ambiguous');
    return 'chunked';
  }
  if (length === undefined) return 'until_close';
  const [bytes = '', ...others] = length.split(/\s*,\s*/);
  if (!/^\d{1,15}$/.test(bytes) || others.some((other) => other !== bytes)) {
    throw new Error('the length of the response is ambiguous');
  }
  return Number(bytes);
}
