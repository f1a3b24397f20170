// Browsers that signed in before: a signed token in a cookie, bound to an account. Such a browser
// has a budget of its own for wrong passwords, so strangers' guesses never lock its owner out.
import { createHmac, timingSafeEqual } from 'node:crypto';
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
  const macOf = (subject: string, id: string) =>
    createHmac('sha256', secret).update(`known browser\n${subject}\n${id}`).digest('base64url');
  return {
    issue: (subject) => {
      const id = Buffer.from(random.bytes(ID_BYTES)).toString('base64url');
      return `${id}.${macOf(subject, id)}`;
    },
    read: (subject, token) => {
      const [id = '', mac = ''] = (token ?? '').split('.');
      const given = Buffer.from(mac);
      const right = Buffer.from(macOf(subject, id));
      return given.length === right.length && timingSafeEqual(given, right) ? id : null;
    },
  };
}
