// Opens a push source with its token and its endpoint over real HTTP: the server, the queue that
// notifies enrichment, and a function to send.

import { sql } from 'kysely';

import { openPushIngester } from '../../src/jobs/ingest-push.ts';
import { jobKinds } from '../../src/jobs/job-kinds.ts';
import { addSource } from '../../src/radar/sources/add-source.ts';
import { createPushToken } from '../../src/radar/sources/push-token.ts';
import { sqlOf } from '../../src/store/platform/db.ts';
import { openQueue } from '../../src/store/platform/queue.ts';
import { atEnd } from './at-end.ts';
import { openTestServer } from './radar-server.ts';
import type { TestApp } from './test-radar.ts';

export type PushResponse = {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Record<string, unknown>;
};

export type PushEndpoint = {
  readonly url: string;
  readonly token: string;
  /** A POST; `body` is sent as JSON unless it is a string already. */
  push(body: unknown, headers?: Readonly<Record<string, string>>): Promise<PushResponse>;
  /** Numbers of waiting jobs, by job name. */
  countWaitingJobs(): Promise<Readonly<Record<string, number>>>;
};

export async function addPushSource(app: TestApp, id: string): Promise<string> {
  await addSource(app.world, app.db, {
    id,
    kind: 'push',
    name: 'Agents',
    owner: 'Agents',
    tier: 'T1',
    language: 'en',
    intervalMinutes: 30,
    participation: 'editorial',
    settings: {},
  });
  const pushToken = await createPushToken(app.world, app.db, id);
  if (pushToken.kind !== 'made') throw new Error(pushToken.kind);
  return pushToken.token;
}

export async function openPushEndpoint(app: TestApp, id = 'agents'): Promise<PushEndpoint> {
  const { world, db, publication } = app;
  const queue = await openQueue(world, db, { role: 'sender', kinds: jobKinds });
  atEnd(() => queue.close());
  const ingest = openPushIngester(world, db, async () => queue);
  const url = `${await openTestServer(world, publication, undefined, { ingest })}/api/ingest/items`;
  const token = await addPushSource(app, id);
  return {
    url,
    token,
    push: async (body, headers = {}) => {
      const response = await fetch(url, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          ...headers,
        },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      });
      const { status } = response;
      return {
        status,
        headers: response.headers,
        body: (await response.json()) as PushResponse['body'],
      };
    },
    countWaitingJobs: async () => {
      const { rows } = await sql<{ name: string; count: number }>`
        SELECT name, count(*)::int AS count FROM pgboss.job WHERE state = 'created'
        GROUP BY name`.execute(sqlOf(db));
      return Object.fromEntries(rows.map(({ name, count }) => [name, count]));
    },
  };
}
