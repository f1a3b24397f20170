// Measures p99 of a capability call beyond its median, on an idle node and on a busy node. The busy
// node runs backups, audits of the ledger, changes of prices, or 2,000 open streams. Calls have a
// test key, so the ledger writes them and no provider is called.
import type { ChildProcess } from 'node:child_process';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { BenchRow } from '../row.ts';
import { blockRows } from './block-rows.ts';
import { openCaller, startGatewayNode } from './gateway-node.ts';
import type { BlockReport } from './record-blocks.ts';

const HISTORY = 3_000;
const PART_MS = 8_000;
const STREAMS = 2_000;
const goal = { atMost: 5 };

type AddRows = (rows: readonly BenchRow[]) => void;

export async function benchGatewayTail(addRows: AddRows): Promise<void> {
  const node = await startGatewayNode();
  try {
    const [sk, ak] = [await node.createKey('sk'), await node.createKey('ak')];
    const call = openCaller(node.ports.gateway, sk);
    for (let sent = 0; sent < HISTORY; sent += 50) {
      await Promise.all(Array.from({ length: 50 }, () => call()));
    }
    const measurePart = async (
      name: string,
      startWork: (isOver: () => boolean) => Promise<void>,
    ) => {
      const times: number[] = [];
      const blocks = await recordBlocks(node.child, async () => {
        const end = performance.now() + PART_MS;
        const isOver = () => performance.now() > end;
        const work = startWork(isOver);
        const calls = async () => {
          while (!isOver()) times.push(await call());
        };
        // A failed call or failed work ends the measurement and the node.
        await Promise.all([work, calls()]);
      });
      const sorted = times.toSorted((a, b) => a - b);
      const rank = (share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? 0;
      const label = `capability call, ${name}`;
      addRows([
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
    const repeat = (work: (index: number) => Promise<unknown>) => async (isOver: () => boolean) => {
      for (let index = 0; !isOver(); index += 1) await work(index);
    };
    await measurePart('idle node', async () => {});
    await measurePart(
      'during backups',
      repeat((index) => node.command('backup', join(node.folder, `${index}.tar.gz`))),
    );
    await measurePart(
      'during audits',
      repeat(() => node.command('ledger', 'audit')),
    );
    await measurePart(
      'during changes of prices',
      repeat((index) =>
        node.command('prices', 'set', 'bench', `output=${index + 1}`, '--reason', 'bench'),
      ),
    );
    const closeStreams = await openStreams(node.ports.relay, ak);
    await measurePart(`${STREAMS} open streams`, async () => {});
    closeStreams();
  } finally {
    await node.close();
  }
}

async function recordBlocks(child: ChildProcess, work: () => Promise<void>) {
  child.send('reset');
  await work();
  child.send('report');
  return new Promise<BlockReport>((resolve) => child.once('message', resolve));
}

/**
 * Opens streams of the sandbox, which send nothing for a minute. Returns a function to end them.
 */
async function openStreams(port: number, key: string): Promise<() => void> {
  const agent = new Agent({ maxSockets: STREAMS });
  const messages = [{ role: 'user', content: 'sandbox:slow-60' }];
  const body = JSON.stringify({ model: 'bench', stream: true, messages });
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  for (let count = 0; count < STREAMS; count += 100) {
    for (let index = 0; index < 100; index += 1) {
      const path = '/v1/chat/completions';
      const req = request({ port, path, method: 'POST', headers, agent }, (res) => res.resume());
      req.on('error', () => {}).end(body);
    }
    await setTimeout(100);
  }
  await setTimeout(1_000);
  return () => agent.destroy();
}
