// Encrypts stored secrets with AES-256-GCM. The additional data binds a ciphertext to its purpose,
// so it cannot be used in another place.
import { createCipheriv, createDecipheriv } from 'node:crypto';
import type { World } from '../world.ts';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Returns nonce, tag and ciphertext. `key` has 32 bytes. */
export function seal(
  { random }: Pick<World, 'random'>,
  key: Uint8Array,
  purpose: string,
  text: Uint8Array,
): Buffer {
  const nonce = random.bytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(purpose));
  const body = Buffer.concat([cipher.update(text), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), body]);
}

/** Null: the text was sealed with another key or for another purpose. */
export function unseal(key: Uint8Array, purpose: string, bytes: Buffer): Buffer | null {
  if (bytes.length < NONCE_BYTES + TAG_BYTES) return null;
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES))
    .setAAD(Buffer.from(purpose))
    .setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  try {
    return Buffer.concat([
      decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)),
      decipher.final(),
    ]);
  } catch {
    return null;
  }
}
