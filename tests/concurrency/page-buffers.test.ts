// Pages are sent from buffers that later pages use again. A client that reads slowly, or leaves,
// must not receive the bytes of another page.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { atEnd } from '../support/at-end.ts';
import { openItemPublisher } from '../support/item-publisher.ts';
import { openTestServer } from '../support/radar-server.ts';
import { openTestDatabase } from '../support/test-database.ts';
import { openTestPublication } from '../support/test-publication.ts';
import { testWorld } from '../support/test-world.ts';

const ITEMS = 100;
const CLIENTS = 8;
/** Long pages first: the kernel accepts about 4 MB for a client that does not read. */
const limits = Array.from({ length: 120 }, (_, index) => ITEMS - (index % 60));
const { db } = await openTestDatabase();
const { world, clock } = testWorld();
const publisher = await openItemPublisher(world, db);
for (let index = 0; index < ITEMS; index += 1)
  await publisher.publish(
    `Item ${index} ${'long title '.repeat(30)}`,
    clock.now() - index * 60_000,
  );
const publication = await openTestPublication(world, db);
const origin = await openTestServer(world, publication);

type Page = { readonly items: readonly { readonly id: string }[] };

/**
 * Each client has its own addresses and requests each address twice. Only the second request is
 * sent from the cache.
 */
const pathOf = (client: number, limit: number) =>
  `/api/v1/items?limit=${limit}&mode=all${'&'.repeat(client)}`;

async function openClient(): Promise<Socket> {
  const socket = connect({ port: Number(new URL(origin).port), host: '127.0.0.1' });
  atEnd(() => socket.destroy());
  await once(socket, 'connect');
  return socket;
}

/** Sends all requests without waiting. Their responses exceed the buffers of a connection. */
function requestPages(socket: Socket, client: number): void {
  const requests = limits.map(
    (limit) => `GET ${pathOf(client, limit)} HTTP/1.1\r\nHost: radar\r\n\r\n`,
  );
  socket.write(requests.join(''));
}

async function readPages(socket: Socket): Promise<readonly Page[]> {
  const pages: Page[] = [];
  let received = Buffer.alloc(0);
  for await (const chunk of socket) {
    received = Buffer.concat([received, chunk as Buffer]);
    for (;;) {
      const headEnd = received.indexOf('\r\n\r\n');
      const head = received.subarray(0, Math.max(headEnd, 0)).toString();
      const end = headEnd + 4 + Number(/content-length: (\d+)/i.exec(head)?.[1]);
      if (headEnd === -1 || received.length < end) break;
      expect(head).toMatch(/^HTTP\/1.1 200/);
      pages.push(JSON.parse(received.subarray(headEnd + 4, end).toString()));
      received = received.subarray(end);
    }
    if (pages.length === limits.length) break;
  }
  return pages;
}

test('slow clients receive their own pages while other clients come, read and leave', async () => {
  const { items } = (await (await fetch(`${origin}${pathOf(0, ITEMS)}`)).json()) as Page;
  expect(items).toHaveLength(ITEMS);
  const slowClients = await Promise.all(Array.from({ length: CLIENTS }, openClient));
  for (const [index, socket] of slowClients.entries()) {
    socket.pause();
    requestPages(socket, index + 1);
  }
  // Each of these clients leaves in the middle of its responses. The responses fill the buffers of
  // the connection.
  for (let client = CLIENTS + 1; client <= 2 * CLIENTS; client += 1) {
    const socket = await openClient();
    requestPages(socket, client);
    await once(socket, 'data');
    socket.destroy();
  }
  const fastClient = await openClient();
  requestPages(fastClient, 2 * CLIENTS + 1);
  const expectedPages = limits.map((limit) => items.slice(0, limit));
  const itemsOf = (pages: readonly Page[]) => pages.map((page) => page.items);
  expect(itemsOf(await readPages(fastClient))).toEqual(expectedPages);
  for (const socket of slowClients) expect(itemsOf(await readPages(socket))).toEqual(expectedPages);
});
