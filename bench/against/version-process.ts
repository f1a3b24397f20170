// A process that runs code of one version for the measurement. It receives requests and sends one
// reply for each. It ends when the measurement disconnects.
import { spawn } from 'node:child_process';
import { join } from 'node:path';

export type VersionProcess<Request, Reply> = {
  send(request: Request): Promise<Reply>;
  close(): Promise<void>;
};

/** Starts `script` of the version in `root` and returns its first message. */
export async function startVersion<Request, Ready, Reply>(
  root: string,
  script: string,
  args: readonly string[] = [],
): Promise<VersionProcess<Request, Reply> & { readonly ready: Ready }> {
  // Detached, so that an interrupt reaches only the measurement. The measurement then disconnects.
  const child = spawn(join(root, 'bin/node24'), [join(root, 'bench/against', script), ...args], {
    cwd: root,
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let errors = '';
  child.stderr?.on('data', (bytes) => {
    errors = `${errors}${bytes}`.slice(-2_000);
  });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const nextReply = <T>() =>
    new Promise<T>((resolve, reject) => {
      const fail = () => reject(new Error(`${script} in ${root} ended: ${errors.trim()}`));
      child.once('exit', fail);
      child.once('message', (message) => {
        child.off('exit', fail);
        resolve(message as T);
      });
    });
  const ready = await nextReply<Ready>();
  return {
    ready,
    send: (request) => {
      const reply = nextReply<Reply>();
      child.send(request as object);
      return reply;
    },
    close: async () => {
      if (child.connected) child.disconnect();
      await exited;
    },
  };
}

/** Serves the requests of `startVersion` in the process of the version. */
export function serveVersion<Request>(
  ready: unknown,
  reply: (request: Request) => Promise<unknown>,
  close: () => Promise<void>,
): void {
  process.on('message', async (request) => {
    process.send?.((await reply(request as Request)) ?? null);
  });
  process.once('disconnect', async () => {
    await close();
    process.exit(0);
  });
  process.send?.(ready);
}
