import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { manualClock, runningClock } from '../../../kernel/time/clock.ts';
import { type ArticlePool, type ArticlePoolOptions, openArticlePool } from './extract-pool.ts';

const folder = mkdtempSync(join(tmpdir(), 'pool-'));
const pools: ArticlePool[] = [];
afterAll(async () => {
  await Promise.all(pools.map((pool) => pool.close()));
  rmSync(folder, { recursive: true });
});

function openPool(world: Parameters<typeof openArticlePool>[0], options: ArticlePoolOptions) {
  const pool = openArticlePool(world, options);
  pools.push(pool);
  return pool;
}

/** A worker whose behaviour the job's address selects. */
const stoppableWorker = join(folder, 'worker.mjs');
writeFileSync(
  stoppableWorker,
  `import { parentPort, threadId } from 'node:worker_threads';
   parentPort.on('message', (job) => {
     const order = new URL(job.url).pathname.slice(1);
     if (order === 'hang') { for (;;); }
     if (order === 'exit') process.exit(3);
     if (order === 'throw') throw new Error('broken page');
     if (order === 'grow') { const all = []; for (;;) all.push(new Array(1e6).fill(order)); }
     if (order === 'never') return;
     const article = { title: order, text: String(threadId), publishedAt: null, language: null };
     parentPort.postMessage({ kind: 'extracted', article });
   });`,
);
const workerFile = pathToFileURL(stoppableWorker);
const job = (behaviour: string) => ({
  bytes: new Uint8Array(1),
  contentType: 'text/html',
  url: `https://a.example/${behaviour}`,
});
const realWorld = { clock: runningClock() };
/** A generous limit, because a busy machine slows down the failures under test. */
const timeoutMs = 100_000;

describe('the article pool', () => {
  it('extracts an article from bytes, in their declared encoding', async () => {
    const pool = openPool(realWorld, { timeoutMs });
    const sentence =
      'Die Prüfung der Brücke hat länger gedauert, als die Behörde es für möglich hielt.';
    const body = `<p>${sentence}</p><p>${sentence} Nun ist sie wieder offen.</p>`;
    const head = '<html lang=de><title>Brücke</title><h1>Brücke</h1>';
    const html = `${head}<article>${body}</article>`;
    const outcome = await pool.extract({
      bytes: new Uint8Array(Buffer.from(html, 'latin1')),
      contentType: 'text/html; charset=iso-8859-1',
      url: 'https://a.example/2026/08/22/bruecke',
    });
    expect(outcome).toEqual({
      kind: 'extracted',
      article: {
        title: 'Brücke',
        text: `${sentence}\n${sentence} Nun ist sie wieder offen.`,
        publishedAt: '2026-08-22T00:00:00.000Z',
        language: 'de',
      },
    });
  });

  it('reuses one thread for consecutive jobs', async () => {
    const pool = openPool(realWorld, { workerFile, timeoutMs });
    const threads = new Set<unknown>();
    for (const name of ['a', 'b', 'c']) {
      const outcome = await pool.extract(job(name));
      threads.add(outcome.kind === 'extracted' ? outcome.article.text : outcome.kind);
    }
    expect(threads.size).toBe(1);
    expect([...threads][0]).toMatch(/^\d+$/);
  });

  it('stops the thread of a page that hangs and continues with the next job', async () => {
    const clock = manualClock(0);
    const pool = openPool({ clock }, { workerFile, timeoutMs: 5_000 });
    const hangingJob = pool.extract(job('hang'));
    const next = pool.extract(job('next'));
    clock.advance(5_000);
    expect(await hangingJob).toEqual({ kind: 'timed_out' });
    expect((await next).kind).toBe('extracted');
  });

  it.each([
    ['throw', /broken page/],
    ['exit', /thread ended/],
    ['grow', /memory/],
  ])('survives a page that makes its thread %s', async (behaviour, reason) => {
    const pool = openPool(realWorld, { workerFile, timeoutMs, maxHeapMb: 32 });
    const outcome = await pool.extract(job(behaviour));
    expect(outcome.kind === 'crashed' && outcome.reason).toMatch(reason);
    expect((await pool.extract(job('next'))).kind).toBe('extracted');
  });

  it('refuses a page that is too large and a job beyond the queue limit', async () => {
    const clock = manualClock(0);
    const pool = openPool({ clock }, { workerFile, maxBytes: 10, maxWaiting: 1, timeoutMs: 1_000 });
    const large = { ...job('x'), bytes: new Uint8Array(11) };
    expect(await pool.extract(large)).toEqual({ kind: 'too_large' });
    const runningJob = pool.extract(job('never'));
    const waitingJob = pool.extract(job('b'));
    expect(await pool.extract(job('c'))).toEqual({ kind: 'busy' });
    clock.advance(1_000);
    expect(await runningJob).toEqual({ kind: 'timed_out' });
    expect((await waitingJob).kind).toBe('extracted');
  });

  it('does not keep the process alive while its threads are idle', () => {
    const script = `
      import { runningClock } from '${new URL('../../../kernel/time/clock.ts', import.meta.url)}';
      import { openArticlePool } from '${new URL('./extract-pool.ts', import.meta.url)}';
      const pool = openArticlePool({ clock: runningClock() });
      const bytes = new TextEncoder().encode('<p>x');
      const job = { bytes, contentType: null, url: 'https://a.example/' };
      process.stdout.write((await pool.extract(job)).kind);`;
    const options = { encoding: 'utf8', timeout: timeoutMs } as const;
    const result = spawnSync(process.execPath, ['--input-type=module', '-e', script], options);
    expect(result).toMatchObject({ stdout: 'extracted', status: 0, signal: null });
  });

  it('ends every job when it closes', async () => {
    const pool = openPool(realWorld, { workerFile, timeoutMs });
    const jobs = [pool.extract(job('hang')), pool.extract(job('b'))];
    await pool.close();
    expect(await Promise.all(jobs)).toEqual([{ kind: 'closed' }, { kind: 'closed' }]);
    expect(await pool.extract(job('c'))).toEqual({ kind: 'closed' });
  });
});
