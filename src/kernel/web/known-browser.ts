// Browsers that signed in before: a signed token in a cookie, bound to an account. Such a browser
// has a budget of its own for wrong passwords, so strangers' guesses never lock its owner out.
import { openTokenSigner } from '../crypto/token-signer.ts';
import type { World } from '../world.ts';

export const KNOWN_BROWSER_SECONDS = 180 * 24 * 3_600;

const ID_BYTES = 16;

export type KnownBrowsers = {
  /** For the cookie of a browser that has just signed in as `subject`. */
  issue(subject: string): string;
  /** The browser's id; null: not a token of ours, or of another subject. */
  read(subject: string, token: string | null): string | null;
};

/** `secret`: shared by all nodes, and used for this alone or with other prefixes. */
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
