// Signs tokens of the form `<id>.<mac>`. A server verifies them without a database query.
import { createHmac, timingSafeEqual } from 'node:crypto';

export type TokenSigner = {
  /** `subject` binds the token to a value; absent: the token is unbound. */
  sign(id: string, subject?: string): string;
  /** Returns the id; null: another signer made the token, or the token has another subject. */
  read(token: string, subject?: string): string | null;
};

/** `secret`: shared by all nodes. `purpose` separates the tokens of signers with one secret. */
export function openTokenSigner(secret: Uint8Array, purpose: string): TokenSigner {
  const macOf = (id: string, subject: string) =>
    createHmac('sha256', secret).update(`${purpose}\n${subject}\n${id}`).digest('base64url');
  return {
    sign: (id, subject = '') => `${id}.${macOf(id, subject)}`,
    read: (token, subject = '') => {
      const [id = '', mac = ''] = token.split('.');
      const receivedMac = Buffer.from(mac);
      const expectedMac = Buffer.from(macOf(id, subject));
      return receivedMac.length === expectedMac.length && timingSafeEqual(receivedMac, expectedMac)
        ? id
        : null;
    },
  };
}
