// Verifies the signature and age of a webhook in Stripe's format: `Stripe-Signature: t=<unix
// seconds>,v1=<hex>,v1=<hex>`. Each value is an HMAC-SHA256 of `<t>.<body>`. Source:
// https://docs.stripe.com/webhooks/signature.
import { createHmac, timingSafeEqual } from 'node:crypto';

/** The accepted time between signing and arrival, in either direction; the same as Stripe's. */
const TOLERANCE_SECONDS = 300;
/** A rotation of secrets causes two signatures. Signatures above this number are ignored. */
const SIGNATURES_MAX = 10;

export type SignatureCheck =
  | { readonly kind: 'signed' }
  | { readonly kind: 'refused'; readonly reason: string };

/** `body`: the received bytes. A body that was parsed and serialized again does not match. */
export function checkSignature(
  header: string | undefined,
  body: Uint8Array,
  { secrets, now }: { readonly secrets: readonly string[]; readonly now: number },
): SignatureCheck {
  if (header === undefined) return refusal('the header Stripe-Signature is missing');
  const pairs = header.split(',').map((pair) => pair.trim().split('='));
  const valuesOf = (name: string) =>
    pairs.flatMap(([key, value]) => (key === name && value !== undefined ? [value] : []));
  const [timestamp] = valuesOf('t');
  if (timestamp === undefined || !/^\d{1,12}$/.test(timestamp))
    return refusal('its time is invalid');
  const signatures = valuesOf('v1')
    .slice(0, SIGNATURES_MAX)
    .map((hex) => Buffer.from(hex, 'hex'));
  if (signatures.length === 0) return refusal('it has no signature of the scheme v1');
  const expected = secrets.map((secret) =>
    createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest(),
  );
  // All signatures are compared in constant time, so the duration reveals nothing.
  let isSigned = false;
  for (const hmac of expected) {
    for (const signature of signatures) {
      if (signature.length === hmac.length && timingSafeEqual(hmac, signature)) isSigned = true;
    }
  }
  if (!isSigned) return refusal('no signature matches a configured secret');
  if (Math.abs(now / 1000 - Number(timestamp)) > TOLERANCE_SECONDS) {
    return refusal(`it was signed more than ${TOLERANCE_SECONDS} seconds from now`);
  }
  return { kind: 'signed' };
}

const refusal = (reason: string) => ({ kind: 'refused', reason }) as const;
