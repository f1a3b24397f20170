// Sends queued mails in the background. Response times therefore do not show whether an address has
// an account. Every process sends due mails. A temporary refusal is retried until the mail expires.
// After a crash during a delivery, the mail is sent again with the same Message-ID.
import { openPoller } from '../../../kernel/concurrency/poller.ts';
import { messageOf } from '../../../kernel/errors/fault.ts';
import { isPermanentRefusal, openSmtp, type SmtpConfig } from '../../../kernel/net/smtp.ts';
import type { Db } from '../../../kernel/ports/db.ts';
import { MINUTE_MS } from '../../../kernel/time/durations.ts';
import type { World } from '../../../kernel/world.ts';
import { deleteExpiredMailTokens } from '../../../store/gateway/account-mail-tokens.ts';
import {
  MAILS_CHANNEL,
  type Outbox,
  type OutgoingMail,
} from '../../../store/gateway/outgoing-mails.ts';
import { listen } from '../../../store/platform/notifications.ts';

/** `close` waits for deliveries in progress. */
export type Mailer = { close(): Promise<void> };

const CONCURRENCY = 4;
/** Longer than an SMTP dialogue in which every reply takes its full timeout. */
const CLAIM_MS = 180_000;
const POLL_INTERVAL_MS = 30_000;
/** The delay after each try. The last delay repeats. */
const RETRY_DELAYS_MS = [2_000, 15_000, MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS, 60 * MINUTE_MS];
const ERROR_MAX = 300;

export function openMailer(world: World, db: Db, outbox: Outbox, config: SmtpConfig): Mailer {
  const transport = openSmtp(config);
  const send = async (mail: OutgoingMail): Promise<void> => {
    const failure = await transport.send(mailOf(mail)).then(
      () => null,
      (cause) => ({ cause }),
    );
    if (failure === null) return outbox.deleteMail(mail.id);
    await postpone(world, outbox, config, mail, failure.cause);
  };
  const poller = openPoller(world, {
    taskName: 'mails',
    intervalMs: POLL_INTERVAL_MS,
    nextDueAt: outbox.nextDueAt,
    poll: async (signal) => {
      await deleteExpiredMailTokens(db, world.clock.now());
      const droppedCount = await outbox.deleteExpired();
      if (droppedCount > 0)
        world.log.warn(
          { mails: droppedCount },
          'mails expired before the mail server accepted them',
        );
      while (!signal.aborted) {
        const mails = await outbox.claim({ max: CONCURRENCY, claimMs: CLAIM_MS });
        if (mails.length === 0) return;
        // All deliveries finish before one failed database write ends the round.
        const results = await Promise.allSettled(mails.map(send));
        const rejectedResult = results.find(({ status }) => status === 'rejected');
        if (rejectedResult?.status === 'rejected') throw rejectedResult.reason;
      }
    },
  });
  const subscription = { channel: MAILS_CHANNEL, applicationName: 'radar gateway mails' };
  const listener = listen(world, db, subscription, poller.wake);
  return {
    close: async () => {
      await poller.close();
      await listener.close();
      transport.close();
    },
  };
}

const mailOf = ({ id, message }: OutgoingMail) => ({ ...message, id, headers: {} });

async function postpone(
  world: World,
  outbox: Outbox,
  { host, port }: SmtpConfig,
  { id, tries }: OutgoingMail,
  error: unknown,
): Promise<void> {
  // A server's refusal may contain the recipient's address.
  const problem = messageOf(error)
    .slice(0, ERROR_MAX)
    .replaceAll(/[^\s<>]+@[^\s<>]+/g, '…');
  const isFinal = isPermanentRefusal(error);
  const fields = { mail: id, host, port, error: problem, tries: tries + 1, willRetry: !isFinal };
  world.log.warn(fields, 'a mail was not delivered to the mail server');
  if (isFinal) return outbox.deleteMail(id);
  const delayMs = RETRY_DELAYS_MS[Math.min(tries, RETRY_DELAYS_MS.length - 1)] ?? 0;
  await outbox.postpone(id, { dueAt: world.clock.now() + delayMs, error: problem });
}
