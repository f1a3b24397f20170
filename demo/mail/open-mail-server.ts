// Opens a mail server on loopback. It stores every mail and delivers none. A test can make it
// refuse addresses.
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { type Mail, readMail } from './read-mail.ts';

export type MailServer = {
  readonly port: number;
  /** All mails, oldest first. */
  readonly mails: readonly Mail[];
  close(): Promise<void>;
};

export async function openMailServer(
  onMail: (mail: Mail) => void,
  { refuses = () => false }: { readonly refuses?: (address: string) => boolean } = {},
): Promise<MailServer> {
  const mails: Mail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo: ({ address }, _session, done) => {
      if (!refuses(address)) done();
      else done(Object.assign(new Error('no such mailbox'), { responseCode: 550 }));
    },
    onData: (stream, session, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const to = session.envelope.rcptTo.map(({ address }) => address);
        const mail = { to, ...readMail(Buffer.concat(chunks).toString()) };
        mails.push(mail);
        onMail(mail);
        done();
      });
    },
  });
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const { port } = server.server.address() as AddressInfo;
  return {
    port,
    mails,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}
