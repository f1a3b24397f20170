// Hashes and verifies passwords with argon2id (RFC 9106). Each hash contains its parameters, so the
// parameters can be raised without invalidating passwords.
import { argon2, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import type { World } from '../world.ts';

const derive = promisify(argon2);

/** OWASP recommends these values for argon2id: 19 MiB, two passes, a parallelism of one. */
const MEMORY_KIB = 19_456;
const PASSES = 2;
const PARALLELISM = 1;
const TAG_BYTES = 32;

/** Characters. The maximum is longer than any typed password and short enough to hash. */
export const passwordLength = { min: 10, max: 200 } as const;

/** In the PHC string form: `$argon2id$v=19$m=…,t=…,p=…$salt$hash`. */
export async function hashPassword({ random }: World, password: string): Promise<string> {
  const salt = Buffer.from(random.bytes(16));
  const tag = await tagOf(password, salt, {
    memory: MEMORY_KIB,
    passes: PASSES,
    parallelism: PARALLELISM,
  });
  const encoded = [salt, tag].map((bytes) => bytes.toString('base64').replace(/=+$/, ''));
  return `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=${PARALLELISM}$${encoded.join('$')}`;
}

const phcPattern =
  /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

/**
 * With a null `hash` (the account does not exist) the check takes as long as with a wrong password.
 */
export async function verifyPassword(hash: string | null, password: string): Promise<boolean> {
  const [, memory = '', passes = '', parallelism = '', salt = '', tag = ''] =
    phcPattern.exec(hash ?? '') ?? [];
  if (tag === '') {
    await tagOf(password, Buffer.alloc(16), {
      memory: MEMORY_KIB,
      passes: PASSES,
      parallelism: PARALLELISM,
    });
    return false;
  }
  const costs = {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
  };
  const computedTag = await tagOf(password, Buffer.from(salt, 'base64'), costs);
  const expected = Buffer.from(tag, 'base64');
  return computedTag.length === expected.length && timingSafeEqual(computedTag, expected);
}

type Costs = { readonly memory: number; readonly passes: number; readonly parallelism: number };

async function tagOf(password: string, nonce: Buffer, { memory, passes, parallelism }: Costs) {
  // Two keyboards can produce the same word in two Unicode forms.
  const message = Buffer.from(password.normalize('NFKC'));
  return derive('argon2id', {
    message,
    nonce,
    memory,
    passes,
    parallelism,
    tagLength: TAG_BYTES,
  });
}
