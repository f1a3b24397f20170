// A port for a program that cannot be told 0. Between our look and its start another may take it,
// so it is one that no system gives to whoever asks for any: below those, chosen by chance.
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** From 10,000 on; Linux gives away those from 32,768 on, others from 49,152. */
const LOWEST = 10_000;
const HIGHEST = 32_000;

export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(LOWEST, HIGHEST);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer().once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}
