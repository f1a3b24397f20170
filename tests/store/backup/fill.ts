// Fills an application for tests of backups: stories, reports and a ranking; an account with keys,
// money and calls; secrets; media in a folder.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { addAccount } from '../../../src/gateway/accounts/account.ts';
import { makeKey } from '../../../src/gateway/keys/change-keys.ts';
import { topUp } from '../../../src/gateway/wallet/credits/post-transfer.ts';
import { sealJournal } from '../../../src/gateway/wallet/integrity/maintain-ledger.ts';
import { openWallet } from '../../../src/gateway/wallet/ledger/open-wallet.ts';
import { authorizeRequestFor, CNY, captureRequestOf } from '../../ledger/wallet-values.ts';
import { openReaderRadar, type ReaderRadar } from '../../support/reader-radar.ts';

export const media = {
  [`t0aaaa-${'1'.repeat(64)}`]: Buffer.from('a small image'),
  [`t0aaab-${'2'.repeat(64)}`]: Buffer.alloc(300_000, 'a long video '),
};

/** Call at the top of a test file. */
export async function openRadarWithMoney(mediaFolder: string): Promise<ReaderRadar> {
  const radar = await openReaderRadar();
  const { world, db } = radar;
  const added = await addAccount(world, db, {
    email: 'someone@example.com',
    password: 'a password of a customer',
  });
  if (added.kind !== 'added') throw new Error(added.kind);
  const account = { accountId: added.id, livemode: true };
  await makeKey(world, db, { ...account, kind: 'sk', name: 'A\tkey\\N with "odd" \n signs' });
  const record = { reason: 'Lines\nand \\. backslashes', actor: 'test' };
  await topUp(world, db, { ...account, ...record, amount: 100n * CNY, reference: 'pay' });
  const wallet = await openWallet(world, db);
  for (let call = 0; call < 5; call += 1) {
    const authorizeRequest = authorizeRequestFor(world, 3, { accountId: added.id });
    await wallet.authorize(authorizeRequest);
    if (call < 3) await wallet.capture(captureRequestOf(authorizeRequest.requestId, 3));
  }
  await wallet.close();
  await sealJournal(world, db);
  mkdirSync(mediaFolder, { recursive: true });
  for (const [name, bytes] of Object.entries(media)) writeFileSync(join(mediaFolder, name), bytes);
  writeFileSync(join(mediaFolder, 'half-written.part'), 'is not kept yet');
  return radar;
}
