// Tests the request slots of a host with real requests.
import { describe, expect, test } from 'vitest';
import {
  get,
  loopbackNet,
  openHttpServer,
  openSignal,
  responseOf,
  stoppedClock,
} from './loopback.ts';

/** A server that holds every response until the test releases it. */
async function openHoldingServer() {
  const releases: (() => void)[] = [];
  const arrivals: string[] = [];
  let arrival = openSignal();
  const server = await openHttpServer((request, response) => {
    arrivals.push(request.url ?? '');
    releases.push(() => response.end('done'));
    arrival.resolve();
  });
  return {
    ...server,
    arrivals,
    releaseNext: () => releases.shift()?.(),
    untilArrived: async (count: number) => {
      while (arrivals.length < count) {
        await arrival.promise;
        arrival = openSignal();
      }
    },
  };
}

describe('one host', () => {
  test('receives two requests at a time, in order', async () => {
    const server = await openHoldingServer();
    const net = loopbackNet();
    const outcomes = ['/1', '/2', '/3', '/4'].map((path) => net.request(get(server.origin + path)));
    await server.untilArrived(2);
    expect(server.arrivals.toSorted()).toEqual(['/1', '/2']);
    server.releaseNext();
    await server.untilArrived(3);
    expect(server.arrivals[2]).toBe('/3');
    server.releaseNext();
    await server.untilArrived(4);
    server.releaseNext();
    server.releaseNext();
    const statuses = (await Promise.all(outcomes)).map((outcome) => responseOf(outcome).status);
    expect(statuses).toEqual([200, 200, 200, 200]);
  });

  test('receives any number of requests at a time where politeness is off', async () => {
    const server = await openHoldingServer();
    const net = loopbackNet({ politenessMs: 60_000 });
    const outcomes = ['/1', '/2', '/3', '/4'].map((path) =>
      net.request(get(server.origin + path, { isPolite: false })),
    );
    await server.untilArrived(4);
    for (const _ of outcomes) server.releaseNext();
    const statuses = (await Promise.all(outcomes)).map((outcome) => responseOf(outcome).status);
    expect(statuses).toEqual([200, 200, 200, 200]);
  });

  test('has a gap between requests, and a longer gap when a request requires it', async () => {
    const clock = stoppedClock();
    const startTimes: number[] = [];
    let requestStart = openSignal();
    const server = await openHttpServer((_request, response) => {
      startTimes.push(clock.now() - Date.UTC(2026, 0, 1));
      response.end();
      requestStart.resolve();
    });
    const net = loopbackNet({ clock, politenessMs: 1_000 });
    const outcomes = [
      net.request(get(server.origin)),
      net.request(get(server.origin)),
      net.request(get(server.origin, { gapMs: 5_000 })),
      net.request(get(server.origin, { gapMs: 0 })),
    ];
    for (const startGap of [0, 1_000, 5_000]) {
      requestStart = openSignal();
      clock.advance(startGap);
      await requestStart.promise;
      await new Promise((resolve) => setImmediate(resolve));
    }
    await Promise.all(outcomes);
    expect(startTimes).toEqual([0, 1_000, 6_000, 6_000]);
  });

  test('limits the time of a wait', async () => {
    const clock = stoppedClock();
    const server = await openHoldingServer();
    const net = loopbackNet({ clock, perHostConcurrency: 1, maxWaitMs: 60_000 });
    const firstRequest = net.request(get(server.origin, { timeoutMs: 120_000 }));
    const secondRequest = net.request(get(server.origin, { timeoutMs: 5_000 }));
    await server.untilArrived(1);
    // The wait is not subtracted from the timeout of five seconds.
    clock.advance(59_999);
    // A wait ends after one minute.
    clock.advance(1);
    expect(await secondRequest).toEqual({
      kind: 'failed',
      reason: 'timeout',
      message: `GET ${server.origin}/: waited too long for a turn at 127.0.0.1:${server.port}`,
      durationMs: 0,
    });
    server.releaseNext();
    expect(responseOf(await firstRequest).durationMs).toBe(60_000);
    expect(server.arrivals.length).toBe(1);
  });

  test('removes a caller that cancels from the queue', async () => {
    const server = await openHoldingServer();
    const net = loopbackNet({ perHostConcurrency: 1 });
    const caller = new AbortController();
    const firstRequest = net.request(get(server.origin));
    const secondRequest = net.request(get(server.origin, { signal: caller.signal }));
    await server.untilArrived(1);
    caller.abort();
    expect(await secondRequest).toMatchObject({ kind: 'failed', reason: 'aborted' });
    server.releaseNext();
    expect(responseOf(await firstRequest).status).toBe(200);
  });

  test('admits the next request after a failure', async () => {
    const net = loopbackNet({ perHostConcurrency: 1 });
    const outcomes = await Promise.all(
      ['/1', '/2', '/3'].map((path) => net.request(get(`http://127.0.0.1:1${path}`))),
    );
    expect(outcomes.map((outcome) => outcome.kind === 'failed' && outcome.reason)).toEqual([
      ...['connect', 'connect', 'connect'],
    ]);
  });

  test('that redirects to another host does not occupy the queues of both hosts', async () => {
    const origins: string[] = [];
    const redirectTo = (other: () => string | undefined) =>
      openHttpServer((request, response) => {
        const depth = Number(request.url?.slice(1) || 0);
        if (depth === 3) return response.end('end');
        response.writeHead(302, { location: `${other()}/${depth + 1}` }).end();
      });
    const firstServer = await redirectTo(() => origins[1]);
    const secondServer = await redirectTo(() => origins[0]);
    origins.push(firstServer.origin, secondServer.origin);
    const net = loopbackNet({ perHostConcurrency: 1 });
    const outcomes = await Promise.all(
      [...origins, ...origins].map((origin) => net.request(get(`${origin}/`))),
    );
    expect(outcomes.map((outcome) => responseOf(outcome).redirects.length)).toEqual([3, 3, 3, 3]);
  });
});
