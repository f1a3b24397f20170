// The demonstration's mail server for tests, and waiting for what comes.
import { once } from 'node:events';
import { afterAll } from 'vitest';
import { openMailServer as open } from '../../demo/mail/open-mail-server.ts';
import type { Mail } from '../../demo/mail/read-mail.ts';

export type MailServer = {
  readonly port: number;
  /** So far, oldest first. */
  readonly mails: readonly Mail[];
  /** The next mail to that address, or an earlier one that was not read yet. */
  next(to: string): Promise<Mail>;
  close(): Promise<void>;
};

/** Call at the top of a test file. */
export async function openMailServer(
  options: { readonly refuses?: (address: string) => boolean } = {},
): Promise<MailServer> {
  const waited = new Set<Mail>();
  const arrivals = new EventTarget();
  const server = await open(() => arrivals.dispatchEvent(new Event('mail')), options);
  const { port, mails } = server;
  let closed: Promise<void> | null = null;
  const close = () => {
    closed ??= server.close();
    return closed;
  };
  afterAll(close);
  return {
    port,
    mails,
    close,
    next: async (to) => {
      for (;;) {
        const mail = mails.find((each) => each.to.includes(to) && !waited.has(each));
        if (mail !== undefined) {
          waited.add(mail);
          return mail;
        }
        await once(arrivals, 'mail');
      }
    },
  };
}
