// Parses a mail. It supports only what the project's own mailer sends.

export type Mail = {
  /** Message-ID: the same for each time that the mail is sent. */
  readonly id: string;
  readonly to: readonly string[];
  readonly subject: string;
  /** All header fields, unfolded, one per line. */
  readonly head: string;
  readonly text: string;
  /** Null: the mail has text only. */
  readonly html: string | null;
};

export function readMail(raw: string): Omit<Mail, 'to'> {
  const { head, field, body } = readEntity(raw);
  const boundary = /boundary="?([^";]+)"?/i.exec(field('content-type'))?.[1];
  const parts = boundary === undefined ? [] : partsOf(body, boundary);
  const textOf = (type: string) => parts.find((part) => part.type === type)?.text ?? null;
  return {
    id: field('message-id'),
    subject: decodeWords(field('subject')),
    head,
    text: textOf('text/plain') ?? decodeBody(body, field('content-transfer-encoding')),
    html: textOf('text/html'),
  };
}

function readEntity(raw: string) {
  const [rawHead = '', ...bodyParts] = raw.split('\r\n\r\n');
  const head = rawHead.replaceAll(/\r\n[ \t]+/g, ' ').replaceAll('\r\n', '\n');
  const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'im').exec(head)?.[1]?.trim() ?? '';
  return { head, field, body: bodyParts.join('\r\n\r\n') };
}

/** RFC 2046, 5.1. */
const partsOf = (body: string, boundary: string) =>
  body
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((part) => {
      const { field, body: partBody } = readEntity(part.replace(/^\r\n/, ''));
      const type = field('content-type').split(';', 1)[0]?.toLowerCase() ?? '';
      return { type, text: decodeBody(partBody, field('content-transfer-encoding')) };
    });

/** RFC 2047. */
function decodeWords(text: string): string {
  return text
    .replaceAll(/\?=\s+=\?/g, '?==?')
    .replaceAll(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_all, kind: string, word: string) =>
      kind.toLowerCase() === 'b'
        ? Buffer.from(word, 'base64').toString()
        : decodeQuotedPrintable(word.replaceAll('_', ' ')),
    );
}

function decodeBody(body: string, encoding: string): string {
  return decodeTransfer(body, encoding.toLowerCase()).replaceAll('\r\n', '\n').trim();
}

function decodeTransfer(body: string, coding: string): string {
  if (coding === 'base64') return Buffer.from(body, 'base64').toString();
  if (coding === 'quoted-printable') return decodeQuotedPrintable(body.replaceAll('=\r\n', ''));
  return body;
}

/** RFC 2045, 6.7. */
function decodeQuotedPrintable(text: string): string {
  const bytes = text.replaceAll(/=([0-9A-F]{2})/g, (_all, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return Buffer.from(bytes, 'latin1').toString();
}
