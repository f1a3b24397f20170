// Opens the demonstration's mail server for tests, and waits for mails.
import { once } from 'node:events';

import { openMailServer as openDemoMailServer } from '../../demo/mail/open-mail-server.ts';
import type { Mail } from '../../demo/mail/read-mail.ts';
import type { SmtpConfig } from '../../src/kernel/net/smtp.ts';
import { atEnd } from './at-end.ts';

export type MailServer = {
  readonly port: number;
  /** The settings of an installation that sends its mails here. */
  readonly smtp: SmtpConfig;
  /** All mails, oldest first. */
  readonly mails: readonly Mail[];
  /** The next unread mail to this address. */
  nextMail(to: string): Promise<Mail>;
  close(): Promise<void>;
};

/** Call at the top of a test file. */
export async function openMailServer(
  options: { readonly refuses?: (address: string) => boolean } = {},
): Promise<MailServer> {
  const returnedMails = new Set<Mail>();
  const arrivals = new EventTarget();
  const server = await openDemoMailServer(() => arrivals.dispatchEvent(new Event('mail')), options);
  const { port, mails } = server;
  let closed: Promise<void> | null = null;
  const close = () => {
    closed ??= server.close();
    return closed;
  };
  atEnd(close);
  return {
    port,
    smtp: {
      host: '127.0.0.1',
      port,
      secure: false,
      requireTls: false,
      from: 'Radar <post@radar.example>',
    },
    mails,
    close,
    nextMail: async (to) => {
      for (;;) {
        const mail = mails.find((mail) => mail.to.includes(to) && !returnedMails.has(mail));
        if (mail !== undefined) {
          returnedMails.add(mail);
          return mail;
        }
        await once(arrivals, 'mail');
      }
    },
  };
}
