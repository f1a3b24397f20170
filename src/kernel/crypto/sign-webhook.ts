// Signs webhooks according to Standard Webhooks 1.0 (standardwebhooks.com).
import { createHmac } from 'node:crypto';

const PREFIX = 'whsec_';
/** The standard requires 24 to 64 bytes. */
export const SECRET_BYTES = 32;

/** The secret as text for the customer, with its prefix. */
export const formatWebhookSecret = (secret: Uint8Array): string =>
  PREFIX + Buffer.from(secret).toString('base64');

export type WebhookPayload = {
  readonly id: string;
  /** Epoch milliseconds of this attempt. */
  readonly at: number;
  readonly body: string;
};

/**
 * The three headers of the standard. Each secret adds a signature, so that a secret can be replaced
 * without rejected webhooks.
 */
export function signWebhook(
  { id, at, body }: WebhookPayload,
  secrets: readonly Uint8Array[],
): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(at / 1000));
  const signatures = secrets.map((secret) => {
    const hmac = createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`);
    return `v1,${hmac.digest('base64')}`;
  });
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  };
}
