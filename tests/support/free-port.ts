// Finds a free port for a program that does not accept port 0. Another process can take a port
// before the program starts, so the port is random and below the range that systems assign.
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Linux assigns ports from 32,768 on, other systems from 49,152 on. */
const LOWEST_PORT = 10_000;
const HIGHEST_PORT = 32_000;

export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(LOWEST_PORT, HIGHEST_PORT);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer().once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}
