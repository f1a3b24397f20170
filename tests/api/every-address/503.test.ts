import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { afterAll, describe, expect, test } from 'vitest';
import { closeDb, openDb } from '../../../src/store/platform/db.ts';
import { readContract } from '../../contract/read-document.ts';
import { openFilledRadar } from '../../support/filled-radar.ts';
import { json, sendRequest } from '../../support/http-request.ts';
import { openTestServer } from '../../support/radar-server.ts';
import { addressesFromMemory, everyAddress } from '../addresses.ts';

const { origin: openOrigin, world, publication, logged } = await openFilledRadar();
const contract = await readContract(openOrigin);

/** A database server that accepts connections and never responds. */
const silentServer = createServer(() => {});
await new Promise<void>((resolve) => silentServer.listen(0, '127.0.0.1', resolve));
const { port } = silentServer.address() as AddressInfo;
const connection = { host: '127.0.0.1', port, user: 'radar', database: 'radar' };
const unreachableDb = openDb(world.log, connection, { applicationName: 'radar test' });
afterAll(async () => {
  silentServer.close();
  await closeDb(unreachableDb);
});

describe('while the database is unreachable', async () => {
  const origin = await openTestServer(world, { ...publication, db: unreachableDb });
  const cursor = json(await sendRequest(openOrigin, { path: '/api/v1/selected/snapshot' })).cursor;

  test.each(['/api/v1/selected/snapshot', `/api/v1/selected/changes?cursor=${cursor}`])(
    '%s returns 503 with Retry-After',
    async (path) => {
      const response = await sendRequest(origin, { path });
      expect(response.status).toBe(503);
      expect(contract.faultsOf({ path }, response)).toEqual([]);
      expect(json(response)).toMatchObject({ code: 'temporarily_unavailable' });
      expect(Number(response.headers['retry-after'])).toBeGreaterThan(0);
    },
  );

  test.each(addressesFromMemory)('%s is served from memory', async (path) => {
    expect((await sendRequest(origin, { path })).status).toBe(200);
  });
});

describe('an unexpected error', async () => {
  const secret = 'planted by this test: pgpass=hunter2';
  const brokenPublication = {
    ...publication,
    readModel: () => {
      throw new Error(secret);
    },
  };
  const origin = await openTestServer(world, brokenPublication);

  test.each(everyAddress)('%s returns 503, and only the log has the cause', async (path) => {
    const lineCount = logged.length;
    const response = await sendRequest(origin, { path });
    expect(response.status).toBe(503);
    expect(contract.faultsOf({ path }, response)).toEqual([]);
    expect(response.text).not.toContain('hunter2');
    const { requestId } = json(response);
    const lines = logged.slice(lineCount).filter((line) => line.includes(`${requestId}`));
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain(secret);
  });
});
