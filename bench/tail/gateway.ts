// p99 of a capability call beside its median, on an idle node and on a busy one. The work is a
// backup, an audit of the ledger, changes of prices, or 2,000 open streams. Calls have a test key,
// so the ledger writes them and no provider is called.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePort } from '../../tests/support/free-port.ts';
import type { BenchRow } from '../row.ts';
import { blockRows } from './block-rows.ts';
import type { BlockReport } from './record-blocks.ts';

const run = promisify(execFile);
const bin = join(import.meta.dirname, '../../bin/radar');
const recorder = new URL('record-blocks.ts', import.meta.url);
const HISTORY = 3_000;
const PART_MS = 8_000;
const STREAMS = 2_000;
const goal = { atMost: 5 };
const limits = { requestsPerSecond: 1e5, burst: 1e6, callsPerDay: 1e9, callsPerMonth: 1e9 };
const relay = {
  upstreams: [
    { name: 'none', kind: 'openai-chat', url: 'http://127.0.0.1:9', models: { bench: 'bench' } },
  ],
  models: { bench: { holdOutput: 40, maxOutput: 1_000 } },
};

type Node = {
  readonly child: ChildProcess;
  readonly folder: string;
  readonly ports: { readonly gateway: number; readonly relay: number };
  readonly command: (...words: string[]) => Promise<string>;
};

type Add = (rows: readonly BenchRow[]) => void;

export async function benchGatewayTail(add: Add): Promise<void> {
  const node = await startNode();
  try {
    await node.command('account', 'add', 'a@example.com');
    await node.command('account', 'confirm', 'a@example.com');
    const keyOf = async (kind: 'sk' | 'ak') => {
      const words = ['account', 'key', 'add', 'a@example.com', '--test', '--kind', kind];
      return /\b[sa]k-test-\w+/.exec(await node.command(...words))?.[0] ?? '';
    };
    const [sk, ak] = [await keyOf('sk'), await keyOf('ak')];
    const call = openCaller(node.ports.gateway, sk);
    for (let sent = 0; sent < HISTORY; sent += 50) {
      await Promise.all(Array.from({ length: 50 }, () => call()));
    }
    const measurePart = async (name: string, busy: (isOver: () => boolean) => Promise<void>) => {
      const times: number[] = [];
      const blocks = await recordBlocks(node.child, async () => {
        const end = performance.now() + PART_MS;
        const isOver = () => performance.now() > end;
        const work = busy(isOver);
        const calls = async () => {
          while (!isOver()) times.push(await call());
        };
        // A failure of either ends the measurement, and the node with it.
        await Promise.all([work, calls()]);
      });
      const sorted = times.toSorted((a, b) => a - b);
      const rank = (share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? 0;
      const label = `capability call, ${name}`;
      add([
        {
          name: `${label}: p99 beyond the median`,
          value: rank(0.99) - rank(0.5),
          unit: 'ms',
          goal,
          note:
            `p50 ${rank(0.5).toFixed(1)}, p90 ${rank(0.9).toFixed(1)}, p99 ` +
            `${rank(0.99).toFixed(1)}, worst ${rank(1).toFixed(1)} ms; ${sorted.length} calls`,
        },
        ...blockRows(label, blocks),
      ]);
    };
    const repeat = (work: (n: number) => Promise<unknown>) => async (isOver: () => boolean) => {
      for (let n = 0; !isOver(); n += 1) await work(n);
    };
    await measurePart('idle node', async () => {});
    await measurePart(
      'during backups',
      repeat((n) => node.command('backup', join(node.folder, `${n}.tar.gz`))),
    );
    await measurePart(
      'during audits',
      repeat(() => node.command('ledger', 'audit')),
    );
    await measurePart(
      'during changes of prices',
      repeat((n) => node.command('prices', 'set', 'bench', `output=${n + 1}`, '--reason', 'bench')),
    );
    const closeStreams = await openStreams(node.ports.relay, ak);
    await measurePart(`${STREAMS} open streams`, async () => {});
    closeStreams();
  } finally {
    const exited = new Promise((resolve) => node.child.once('exit', resolve));
    node.child.kill('SIGTERM');
    await exited;
    rmSync(node.folder, { recursive: true, force: true });
  }
}

async function startNode(): Promise<Node> {
  const folder = mkdtempSync(join(tmpdir(), 'radar-bench-gateway-'));
  const config = join(folder, 'radar.config.json');
  writeFileSync(config, JSON.stringify({ gateway: limits, logLevel: 'warn', relay }));
  const ports = { gateway: await freePort(), relay: await freePort() };
  const { PATH, HOME } = process.env;
  const env = {
    PATH,
    HOME,
    GATEWAY_PORT: String(ports.gateway),
    RELAY_PORT: String(ports.relay),
    DATA_DIR: join(folder, 'data'),
    RADAR_CONFIG: config,
  };
  const child = spawn('taskset', ['-c', '0', bin, 'serve', '--only', 'gateway,relay'], {
    env: { ...env, NODE_OPTIONS: `--import=${recorder}` },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  let text = '';
  await new Promise<void>((resolve, reject) => {
    child.stdout?.on('data', (bytes) => {
      text += bytes;
      if (text.includes('Ready.')) resolve();
    });
    child.once('exit', (code) => reject(new Error(`the gateway ended with ${code}: ${text}`)));
  });
  const command = async (...words: string[]) => {
    const { stdout } = await run('taskset', ['-c', '1', bin, ...words], { env });
    return stdout;
  };
  return { child, folder, ports, command };
}

async function recordBlocks(child: ChildProcess, work: () => Promise<void>) {
  child.send('reset');
  await work();
  child.send('report');
  return new Promise<BlockReport>((resolve) => child.once('message', resolve));
}

/** Returns the milliseconds of one call with its charge, until the last byte. */
function openCaller(port: number, key: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 50 });
  const body = JSON.stringify({ image_urls: ['https://example.com/a.png'] });
  let calls = 0;
  return () =>
    new Promise<number>((resolve, reject) => {
      calls += 1;
      const headers = {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        'content-length': body.length,
        'idempotency-key': `bench-${calls}`,
      };
      const start = performance.now();
      const path = '/api/v1/capabilities/ocr';
      const req = request({ port, path, method: 'POST', headers, agent }, (res) => {
        res.resume();
        res.once('end', () => {
          if (res.statusCode === 200) resolve(performance.now() - start);
          else reject(new Error(`a call ended with ${res.statusCode}`));
        });
      });
      req.on('error', reject).end(body);
    });
}

/** Streams of the sandbox that send nothing for a minute. Returns a function that ends them. */
async function openStreams(port: number, key: string): Promise<() => void> {
  const agent = new Agent({ maxSockets: STREAMS });
  const messages = [{ role: 'user', content: 'sandbox:slow-60' }];
  const body = JSON.stringify({ model: 'bench', stream: true, messages });
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  for (let opened = 0; opened < STREAMS; opened += 100) {
    for (let n = 0; n < 100; n += 1) {
      const path = '/v1/chat/completions';
      const req = request({ port, path, method: 'POST', headers, agent }, (res) => res.resume());
      req.on('error', () => {}).end(body);
    }
    await setTimeout(100);
  }
  await setTimeout(1_000);
  return () => agent.destroy();
}
