// A mail as it came over SMTP, as its subject and its text: what our own mailer sends, no more.

export type Mail = {
  /** As its sender names it: the same for each time that it is sent. */
  readonly id: string;
  readonly to: readonly string[];
  readonly subject: string;
  readonly text: string;
};

export function readMail(raw: string): Omit<Mail, 'to'> {
  const [head = '', ...rest] = raw.split('\r\n\r\n');
  const unfolded = head.replaceAll(/\r\n[ \t]+/g, ' ');
  const field = (name: string) =>
    new RegExp(`^${name}: (.*)$`, 'im').exec(unfolded)?.[1]?.trim() ?? '';
  const coding = field('content-transfer-encoding').toLowerCase();
  const text = decodeBody(rest.join('\r\n\r\n'), coding);
  return { id: field('message-id'), subject: decodeWords(field('subject')), text };
}

/** RFC 2047. */
function decodeWords(text: string): string {
  return text
    .replaceAll(/\?=\s+=\?/g, '?==?')
    .replaceAll(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_all, kind: string, word: string) =>
      kind.toLowerCase() === 'b'
        ? Buffer.from(word, 'base64').toString()
        : quotedPrintable(word.replaceAll('_', ' ')),
    );
}

function decodeBody(body: string, coding: string): string {
  const plain =
    coding === 'base64'
      ? Buffer.from(body, 'base64').toString()
      : coding === 'quoted-printable'
        ? quotedPrintable(body.replaceAll('=\r\n', ''))
        : body;
  return plain.replaceAll('\r\n', '\n').trim();
}

/** RFC 2045, 6.7. */
function quotedPrintable(text: string): string {
  const bytes = text.replaceAll(/=([0-9A-F]{2})/g, (_all, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return Buffer.from(bytes, 'latin1').toString();
}
