// robots.txt by RFC 9309, fetched through the guarded network.
import { describe, expect, test } from 'vitest';
import { openRobots } from '../../src/kernel/net/robots.ts';
import type { ManualClock } from '../../src/kernel/time/clock.ts';
import { DAY_MS } from '../../src/kernel/time/durations.ts';
import { loopbackNet, openHttpServer, openSignal, stoppedClock } from './loopback.ts';

type SiteReply = { status?: number; body?: string | Buffer; headers?: Record<string, string> };

/** A site whose /robots.txt returns the current value of `reply`. */
async function openSite(reply: SiteReply, clock: ManualClock = stoppedClock()) {
  const paths: string[] = [];
  const server = await openHttpServer((request, response) => {
    paths.push(request.url ?? '');
    response.writeHead(reply.status ?? 200, reply.headers).end(reply.body);
  });
  const robots = openRobots(
    loopbackNet({ clock }),
    clock,
    'Content-Radar/1.0 (+https://r.example)',
  );
  const readVerdict = (path: string) => robots.isAllowed(server.origin + path);
  const isPathAllowed = async (path: string) => (await readVerdict(path)).isAllowed;
  return { ...server, robots, clock, paths, readVerdict, isPathAllowed };
}

describe('rules of robots.txt', () => {
  test('for every agent apply, the longest match first', async () => {
    const body = 'User-agent: *\nDisallow: /a\nAllow: /a/b\nDisallow: /*.pdf$\nDisallow: /q?x=';
    const { isPathAllowed, readVerdict } = await openSite({ body });
    const paths = ['/', '/a', '/ab', '/a/b/c', '/x.pdf', '/x.pdf?y', '/q?x=1', '/q?y=1'];
    const verdicts = await Promise.all(paths.map(isPathAllowed));
    expect(verdicts).toEqual([true, false, false, true, false, true, false, true]);
    expect(await readVerdict('/a/secret?token=1')).toEqual({
      isAllowed: false,
      crawlDelayMs: null,
      reason: 'robots.txt disallows /a/secret',
    });
  });

  test('for this agent precede the rules for every agent', async () => {
    const body = 'User-agent: *\nDisallow: /\n\nUser-agent: content-radar\nDisallow: /private\n';
    const { isPathAllowed } = await openSite({ body });
    expect([await isPathAllowed('/news'), await isPathAllowed('/private/x')]).toEqual([
      true,
      false,
    ]);
  });

  test('for other agents do not apply', async () => {
    const { isPathAllowed } = await openSite({
      body: 'User-agent: content\nUser-agent: radar\nDisallow: /',
    });
    expect(await isPathAllowed('/news')).toBe(true);
  });

  test('that disallow nothing allow everything, including robots.txt', async () => {
    const { isPathAllowed, paths } = await openSite({ body: 'User-agent: *\nDisallow:\n' });
    expect(await isPathAllowed('/x')).toBe(true);
    const disallowingSite = await openSite({ body: 'User-agent: *\nDisallow: /' });
    expect(await disallowingSite.isPathAllowed('/robots.txt')).toBe(true);
    expect([paths, disallowingSite.paths]).toEqual([['/robots.txt'], []]);
  });

  test.each([
    ['\ufeffUser-agent: *\r\nDisallow: /x\r\n', 'a byte order mark'],
    ['user-agent:*\rdisallow:/x', 'old line ends'],
    ['User-agent: *\nDisallow: /x # why\n', 'comments'],
  ])('apply in the form %j: %s', async (body) => {
    const { isPathAllowed } = await openSite({ body });
    expect([await isPathAllowed('/x'), await isPathAllowed('/y')]).toEqual([false, true]);
  });

  test('match an address in any encoding', async () => {
    const { isPathAllowed } = await openSite({
      body: 'User-agent: *\nDisallow: /新闻\nDisallow: /caf%c3%a9',
    });
    expect([
      await isPathAllowed('/新闻/1'),
      await isPathAllowed('/%E6%96%B0%e9%97%bb'),
      await isPathAllowed('/café'),
    ]).toEqual([false, false, false]);
  });

  test.each([
    ['2', 2_000],
    ['0.5', 500],
    ['0', null],
    ['-1', null],
    ['soon', null],
    ['86400', 60_000],
    ['Infinity', 60_000],
  ])('a crawl delay of %s is %s ms', async (value, crawlDelayMs) => {
    const { readVerdict } = await openSite({
      body: `User-agent: *\nCrawl-delay: ${value}\nDisallow: /x`,
    });
    expect(await readVerdict('/a')).toEqual({
      isAllowed: true,
      crawlDelayMs,
      reason: 'robots.txt allows /a',
    });
  });
});

describe('a site', () => {
  test.each([400, 401, 403, 404, 410, 451])('with status %i allows everything', async (status) => {
    const { readVerdict, isPathAllowed, clock, paths } = await openSite({
      status,
      body: 'User-agent: *\nDisallow: /',
    });
    const reason = `no robots.txt (${status})`;
    expect(await readVerdict('/x')).toEqual({ isAllowed: true, crawlDelayMs: null, reason });
    clock.advance(DAY_MS - 1);
    expect(await isPathAllowed('/x')).toBe(true);
    expect(paths.length).toBe(1);
  });

  test.each([500, 503, 429])('with status %i allows nothing for now', async (status) => {
    const reply: SiteReply = { status };
    const { readVerdict, isPathAllowed, clock, origin, paths } = await openSite(reply);
    const reason = `robots.txt of ${origin} cannot be read: status ${status}`;
    const verdict = { isAllowed: false, crawlDelayMs: null, hasNoResponse: true, isUnread: true };
    expect(await readVerdict('/x')).toEqual({ ...verdict, reason });
    reply.status = 200;
    clock.advance(299_999);
    expect(await isPathAllowed('/x')).toBe(false);
    clock.advance(1);
    expect(await isPathAllowed('/x')).toBe(true);
    expect(paths.length).toBe(2);
  });

  test('that is unreachable allows nothing for now', async () => {
    const clock = stoppedClock();
    const robots = openRobots(loopbackNet({ clock }), clock, 'radar');
    expect(await robots.isAllowed('http://127.0.0.1:1/x')).toMatchObject({ isAllowed: false });
    expect(await robots.isAllowed('http://10.0.0.1/x')).toMatchObject({
      isAllowed: false,
      reason: expect.stringContaining('private use'),
    });
  });

  test('that fails later keeps its last rules', async () => {
    const reply: SiteReply = { body: 'User-agent: *\nDisallow: /x' };
    const { isPathAllowed, clock, paths } = await openSite(reply);
    expect([await isPathAllowed('/x'), await isPathAllowed('/y')]).toEqual([false, true]);
    reply.status = 503;
    clock.advance(DAY_MS);
    expect([await isPathAllowed('/x'), await isPathAllowed('/y')]).toEqual([false, true]);
    expect(paths.length).toBe(2);
    reply.status = 404;
    clock.advance(300_000);
    expect([await isPathAllowed('/x'), await isPathAllowed('/y')]).toEqual([true, true]);
  });

  test('is requested once a day', async () => {
    const reply: SiteReply = { body: 'User-agent: *\nDisallow: /x' };
    const { isPathAllowed, clock, paths } = await openSite(reply);
    expect(await isPathAllowed('/x')).toBe(false);
    reply.body = '';
    clock.advance(DAY_MS - 1);
    expect(await isPathAllowed('/x')).toBe(false);
    clock.advance(1);
    expect(await isPathAllowed('/x')).toBe(true);
    expect(paths.length).toBe(2);
  });

  test('is requested again when the clock moved back', async () => {
    const { isPathAllowed, clock, paths } = await openSite({ body: '' });
    await isPathAllowed('/x');
    clock.advance(-10 * DAY_MS);
    await isPathAllowed('/x');
    expect(paths.length).toBe(2);
  });

  test('is requested once for concurrent callers', async () => {
    const { isPathAllowed, paths } = await openSite({
      body: 'User-agent: *\nDisallow: /x',
    });
    const verdicts = await Promise.all(
      Array.from({ length: 50 }, (_, index) => isPathAllowed(`/${index}`)),
    );
    expect(verdicts).toEqual(verdicts.map(() => true));
    expect(paths).toEqual(['/robots.txt']);
  });

  test('is followed through at most five redirects', async () => {
    const clock = stoppedClock();
    const server = await openHttpServer((request, response) => {
      const depth = Number(/\d+/.exec(request.url ?? '')?.[0] ?? 0);
      if (depth === 5) return response.end('User-agent: *\nDisallow: /x');
      response.writeHead(302, { location: `/r${depth + 1}` }).end();
    });
    const robots = openRobots(loopbackNet({ clock }), clock, 'radar');
    expect(await robots.isAllowed(`${server.origin}/x`)).toMatchObject({ isAllowed: false });
    const endlessSite = await openHttpServer((request, response) => {
      response.writeHead(302, { location: `${request.url}x` }).end();
    });
    expect(await robots.isAllowed(`${endlessSite.origin}/x`)).toEqual({
      isAllowed: true,
      crawlDelayMs: null,
      reason: 'robots.txt redirects too often',
    });
  });

  test('has separate rules for another port', async () => {
    const forbiddingSite = await openSite({ body: 'User-agent: *\nDisallow: /' });
    const otherSite = await openHttpServer((_request, response) => response.writeHead(404).end());
    expect(await forbiddingSite.isPathAllowed('/x')).toBe(false);
    expect(await forbiddingSite.robots.isAllowed(`${otherSite.origin}/x`)).toMatchObject({
      isAllowed: true,
    });
  });
});

describe('a large file', () => {
  const filler = '# filler\n'.repeat(60_000);

  test('applies up to 500 KiB', async () => {
    const siteAtLimit = await openSite({
      body: `User-agent: *\nDisallow: /x\n${filler}Disallow: /y\n`,
    });
    expect(filler.length).toBeGreaterThan(500 * 1024);
    expect(await siteAtLimit.isPathAllowed('/x')).toBe(false);
    expect(await siteAtLimit.isPathAllowed('/y')).toBe(true);
  });

  test('of many megabytes allows nothing for now', async () => {
    const { readVerdict } = await openSite({ body: filler.repeat(10) });
    expect(await readVerdict('/x')).toMatchObject({ isAllowed: false });
  });

  test('of adversarial patterns is matched within the time limit of a test', async () => {
    const agents = Array.from({ length: 12_000 }, (_, index) => `User-agent: a${index}`).join('\n');
    const rules = Array.from({ length: 20_000 }, (_, index) => `Allow:/${index}`).join('\n');
    const { isPathAllowed } = await openSite({
      body: `${agents}\nUser-agent: *\n${rules}\nDisallow: /x`,
    });
    expect([await isPathAllowed('/x'), await isPathAllowed('/7')]).toEqual([false, true]);
    const starRules = Array.from(
      { length: 240 },
      (_, index) => `Disallow: /*${'a'.repeat(2_000)}${index}`,
    );
    const largeSite = await openSite({
      body: `User-agent: *\n${starRules.join('\n')}\nDisallow: /aaa`,
    });
    expect(await largeSite.isPathAllowed(`/${'a'.repeat(100_000)}`)).toBe(false);
  });
});

describe('a caller of robots.txt', () => {
  test('may stop waiting while the other callers receive their result', async () => {
    const arrived = openSignal();
    const reply = openSignal();
    const clock = stoppedClock();
    const server = await openHttpServer(async (_request, response) => {
      arrived.resolve();
      await reply.promise;
      response.end('User-agent: *\nDisallow: /x');
    });
    const robots = openRobots(loopbackNet({ clock }), clock, 'radar');
    const caller = new AbortController();
    const cancelledCaller = robots.isAllowed(`${server.origin}/x`, { signal: caller.signal });
    const otherCaller = robots.isAllowed(`${server.origin}/x`);
    await arrived.promise;
    caller.abort(new Error('enough'));
    await expect(cancelledCaller).rejects.toThrow('enough');
    reply.resolve();
    expect(await otherCaller).toMatchObject({ isAllowed: false });
    expect(server.requestCount()).toBe(1);
  });

  test('reaches a private host with permission only', async () => {
    const clock = stoppedClock();
    const server = await openHttpServer((_request, response) => response.end(''));
    const robots = openRobots(loopbackNet({ clock, privateHosts: [] }), clock, 'radar');
    const url = `${server.origin}/x`;
    const privateHosts = [`127.0.0.1:${server.port}`];
    expect(await robots.isAllowed(url)).toMatchObject({ isAllowed: false });
    expect(await robots.isAllowed(url, { privateHosts })).toMatchObject({ isAllowed: true });
    expect(await robots.isAllowed(url)).toMatchObject({ isAllowed: false });
  });

  test.each(['', 'not a url', 'ftp://example.com/x', 'mailto:a@b'])(
    'receives a refusal for %j',
    async (url) => {
      const clock = stoppedClock();
      const robots = openRobots(loopbackNet({ clock }), clock, 'radar');
      const reason = 'not an http(s) URL';
      expect(await robots.isAllowed(url)).toEqual({ isAllowed: false, crawlDelayMs: null, reason });
    },
  );
});
