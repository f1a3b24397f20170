// The secrets of webhook endpoints are encrypted in the database. Hashes would not suffice, because
// signing needs the secret.
import { seal, unseal } from '../../kernel/crypto/seal.ts';
import { SECRET_BYTES } from '../../kernel/crypto/sign-webhook.ts';
import { Fault } from '../../kernel/errors/fault.ts';
import type { Db } from '../../kernel/ports/db.ts';
import type { World } from '../../kernel/world.ts';
import { readSharedSecret } from '../../store/platform/secrets.ts';

const SECRET_NAME = 'webhook secrets';

/** The id of the endpoint binds the ciphertext to its row. */
export async function sealEndpointSecret(
  world: World,
  db: Db,
  { id, secret }: { readonly id: string; readonly secret: Uint8Array },
): Promise<Buffer> {
  return seal(world, await readSharedSecret(world, db, SECRET_NAME), id, secret);
}

export type SecretReader = (row: {
  readonly id: string;
  readonly stored: Buffer;
}) => Promise<Buffer>;

/**
 * Reads the key of the installation once. Rows of earlier versions contain the unencrypted secret.
 */
export function openSecretReader(world: World, db: Db): SecretReader {
  let key: Uint8Array | null = null;
  return async ({ id, stored }) => {
    if (stored.length === SECRET_BYTES) return stored;
    key ??= await readSharedSecret(world, db, SECRET_NAME);
    const secret = unseal(key, id, stored);
    if (secret === null) {
      throw new Fault(
        'temporarily_unavailable',
        `The secret of the endpoint ${id} cannot be decrypted.`,
      );
    }
    return secret;
  };
}
