// A mail server on loopback that keeps what it is given: what a real one would deliver.
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { afterAll } from 'vitest';

export type Mail = {
  readonly to: readonly string[];
  readonly subject: string;
  readonly text: string;
};

export type MailServer = {
  readonly port: number;
  /** So far, oldest first. */
  readonly mails: readonly Mail[];
  /** The next one that comes to that address; one that came and was not asked for yet. */
  next(to: string): Promise<Mail>;
};

/** Call at the top of a test file. */
export async function openMailServer(): Promise<MailServer> {
  const mails: Mail[] = [];
  const asked = new Set<Mail>();
  const heard = new EventTarget();
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData: (stream, session, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const to = session.envelope.rcptTo.map(({ address }) => address);
        mails.push({ to, ...readMail(Buffer.concat(chunks).toString()) });
        heard.dispatchEvent(new Event('mail'));
        done();
      });
    },
  });
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  afterAll(() => new Promise<void>((resolve) => server.close(() => resolve())));
  const { port } = server.server.address() as AddressInfo;
  return {
    port,
    mails,
    next: async (to) => {
      for (;;) {
        const mail = mails.find((each) => each.to.includes(to) && !asked.has(each));
        if (mail !== undefined) {
          asked.add(mail);
          return mail;
        }
        await once(heard, 'mail');
      }
    },
  };
}

function readMail(raw: string): { subject: string; text: string } {
  const [head = '', ...rest] = raw.split('\r\n\r\n');
  const field = (name: string) =>
    new RegExp(`^${name}: ((?:.|\\r\\n[ \\t])*)`, 'im')
      .exec(head)?.[1]
      ?.replaceAll(/\r\n[ \t]/g, ' ') ?? '';
  const body = rest.join('\r\n\r\n');
  const coding = field('content-transfer-encoding').toLowerCase();
  return { subject: decodeWords(field('subject')), text: decodeBody(body, coding) };
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

function quotedPrintable(text: string): string {
  const bytes = text.replaceAll(/=([0-9A-F]{2})/g, (_all, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return Buffer.from(bytes, 'latin1').toString();
}
