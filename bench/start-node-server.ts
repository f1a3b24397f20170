// Starts a baseline server: a Node program on the first core that prints its port.
import { spawn } from 'node:child_process';
import { once } from 'node:events';

export type NodeServer = { readonly url: string; readonly pid: number; close(): void };

export async function startNodeServer(
  program: string,
  args: readonly string[],
): Promise<NodeServer> {
  const child = spawn('taskset', ['-c', '0', process.execPath, program, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [port] = await once(child.stdout, 'data');
  return {
    url: `http://127.0.0.1:${String(port).trim()}`,
    pid: child.pid ?? 0,
    close: () => {
      child.kill();
    },
  };
}
