// Starts a gateway of one version with its relay, one account and test keys. The ledger writes the
// calls of test keys, and no provider is called.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../../tests/support/free-port.ts';

const run = promisify(execFile);
const thisTree = join(import.meta.dirname, '../..');
const recorder = new URL('record-blocks.ts', import.meta.url);
const ACCOUNT = 'a@example.com';
const limits = { requestsPerSecond: 1e5, burst: 1e6, callsPerDay: 1e9, callsPerMonth: 1e9 };
const relay = {
  upstreams: [
    { name: 'none', kind: 'openai-chat', url: 'http://127.0.0.1:9', models: { bench: 'bench' } },
  ],
  models: { bench: { holdOutput: 40, maxOutput: 1_000 } },
};

export type GatewayNode = {
  readonly child: ChildProcess;
  readonly folder: string;
  readonly ports: { readonly gateway: number; readonly relay: number };
  readonly command: (...args: string[]) => Promise<string>;
  /** Creates a test key of the account and returns it. */
  readonly createKey: (kind: 'sk' | 'ak') => Promise<string>;
  close(): Promise<void>;
};

/** `root`: the folder of the version. */
export async function startGatewayNode(root = thisTree): Promise<GatewayNode> {
  const bin = join(root, 'bin/radar');
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
  process.once('exit', () => child.kill());
  let text = '';
  await new Promise<void>((resolve, reject) => {
    child.stdout?.on('data', (bytes) => {
      text += bytes;
      if (text.includes('Ready.')) resolve();
    });
    child.once('exit', (code) => reject(new Error(`the gateway ended with ${code}: ${text}`)));
  });
  const command = async (...args: string[]) => {
    const { stdout } = await run('taskset', ['-c', '1', bin, ...args], { env });
    return stdout;
  };
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  await command('account', 'add', ACCOUNT);
  await command('account', 'confirm', ACCOUNT);
  return {
    child,
    folder,
    ports,
    command,
    createKey: async (kind) => {
      const args = ['account', 'key', 'add', ACCOUNT, '--test', '--kind', kind];
      return /\b[sa]k-test-\w+/.exec(await command(...args))?.[0] ?? '';
    },
    close: async () => {
      child.kill('SIGTERM');
      await exited;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Returns a function that sends one call with its charge. The function returns the milliseconds
 * until the last byte.
 */
export function openCaller(port: number, key: string) {
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
