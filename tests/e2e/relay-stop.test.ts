// Stops a real process with SIGTERM after calls of the relay.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { chatKey, openChatServer } from '../../demo/upstream/chat/open-chat-server.ts';
import { addAccount } from '../../src/gateway/accounts/account.ts';
import { makeKey } from '../../src/gateway/keys/change-keys.ts';
import { atEnd } from '../support/at-end.ts';
import { sendRequest } from '../support/http-request.ts';
import { startServing, temporaryDataDir } from '../support/radar-process.ts';
import { openTestDatabase, urlOf } from '../support/test-database.ts';
import { testWorld } from '../support/test-world.ts';

// Timeouts of calls last up to half an hour. A process that waits for these timers exceeds its own
// limit of ten seconds and exits with 1.
test('a node that has relayed chats stops with exit status 0', async () => {
  const chat = await openChatServer({ models: ['m'], pauseMs: 0 });
  atEnd(() => chat.close());
  const { db, connection } = await openTestDatabase();
  const { world } = testWorld(3);
  const owner = { email: 'stop@example.com', password: 'p4ss 0ne x' };
  const account = await addAccount(world, db, owner);
  if (account.kind !== 'added') throw new Error(account.kind);
  const createKey = async (livemode: boolean) => {
    const newKey = { accountId: account.id, kind: 'ak', livemode, name: 'x' } as const;
    return (await makeKey(world, db, newKey)).text;
  };
  const keys = [await createKey(true), await createKey(false)];
  const DATA_DIR = temporaryDataDir();
  const RADAR_CONFIG = join(DATA_DIR, 'radar.config.json');
  const upstream = { name: 'u', url: chat.url, key: chatKey, models: { m: 'm' } };
  writeFileSync(RADAR_CONFIG, JSON.stringify({ relay: { upstreams: [upstream] } }));
  const serving = await startServing({ DATA_DIR, RADAR_CONFIG, DATABASE_URL: urlOf(connection) });
  for (const key of keys) {
    for (const stream of [false, true]) {
      const messages = [{ role: 'user', content: 'hello' }];
      const response = await sendRequest(serving.relayUrl, {
        method: 'POST',
        path: '/relay/v1/chat/completions',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'm', stream, messages }),
      });
      expect(response.status, serving.text.err).toBe(200);
    }
  }
  expect(await serving.end('SIGTERM'), serving.text.err).toBe(0);
});
