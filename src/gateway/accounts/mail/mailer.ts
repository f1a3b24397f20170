// Mails go out in the background, so that no answer takes longer because an address is known. A
// server that is away for a moment is tried again; a mail that cannot be sent is asked for again by
// whoever waits for it.
import { createTransport } from 'nodemailer';
import { z } from 'zod';
import { messageOf } from '../../../kernel/fault.ts';
import type { World } from '../../../kernel/world.ts';

export const smtpSchema = z.strictObject({
  host: z.string().min(1),
  port: z.int().min(1).max(65_535).default(587),
  secure: z.boolean().default(false).describe('TLS from the first byte (port 465); else STARTTLS'),
  requireTls: z.boolean().default(false).describe('Send nothing over a connection without TLS'),
  user: z.string().min(1).optional(),
  password: z.string().min(1).optional(),
  from: z.string().min(3).describe('“Name <address>”, or an address'),
});

export type SmtpConfig = z.infer<typeof smtpSchema>;

export type Letter = { readonly to: string; readonly subject: string; readonly text: string };

export type Mailer = {
  /** Soon. */
  send(letter: Letter): void;
  /** Waits for what is being sent. */
  close(): Promise<void>;
};

const PAUSES_MS = [2_000, 15_000];
const TIMEOUT_MS = 10_000;

export function openMailer(world: World, config: SmtpConfig): Mailer {
  const { host, port, secure, requireTls, user, password, from } = config;
  const transport = createTransport({
    ...{ host, port, secure, requireTLS: requireTls },
    ...(user !== undefined && { auth: { user, pass: password ?? '' } }),
    ...{ connectionTimeout: TIMEOUT_MS, greetingTimeout: TIMEOUT_MS, socketTimeout: TIMEOUT_MS },
    // Nothing in a letter is ever a path or an address to be read.
    ...{ disableFileAccess: true, disableUrlAccess: true },
  });
  const stop = new AbortController();
  const sending = new Set<Promise<void>>();
  const deliver = async (letter: Letter): Promise<void> => {
    for (const pauseMs of [...PAUSES_MS, null]) {
      try {
        const headers = { 'Auto-Submitted': 'auto-generated' };
        await transport.sendMail({ ...letter, from, headers });
        return;
      } catch (error) {
        const fields = { host, port, error: messageOf(error), willRetry: pauseMs !== null };
        world.log.warn(fields, 'a mail was not taken by the mail server');
        if (pauseMs === null) return;
        await world.clock.sleep(pauseMs, stop.signal);
      }
    }
  };
  return {
    send: (letter) => {
      const sent = deliver(letter)
        .catch(() => {})
        .finally(() => sending.delete(sent));
      sending.add(sent);
    },
    close: async () => {
      stop.abort(new Error('the mailer is closing'));
      await Promise.all(sending);
      transport.close();
    },
  };
}
