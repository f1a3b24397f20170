// Recognizes a browser that signed in before. It has a signed cookie that is bound to one account.
// Such a browser has its own limit of wrong passwords, so other people's guesses never block it.
import { openTokenSigner } from '../crypto/token-signer.ts';
import type { World } from '../world.ts';

export const KNOWN_BROWSER_SECONDS = 180 * 24 * 3_600;

const ID_BYTES = 16;

export type KnownBrowsers = {
  /** Returns a cookie value for a browser that has just proved to belong to `subject`. */
  issue(subject: string): string;
  /** Returns the browser's id; null: the token is invalid or belongs to another subject. */
  read(subject: string, token: string | null): string | null;
};

/** `secret` is shared by all nodes. Other uses of the secret need other prefixes. */
export function openKnownBrowsers(
  { random }: Pick<World, 'random'>,
  secret: Uint8Array,
): KnownBrowsers {
  const signer = openTokenSigner(secret, 'known browser');
  return {
    issue: (subject) =>
      signer.sign(Buffer.from(random.bytes(ID_BYTES)).toString('base64url'), subject),
    read: (subject, token) => signer.read(token ?? '', subject),
  };
}
