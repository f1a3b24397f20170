// Runs the services of deploy/compose.yaml on a Docker engine, with local images.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../support/until.ts';
import type { DockerEngine } from './docker-engine.ts';

export type ComposeProject = {
  /** Runs `docker-compose` with these arguments. */
  compose(...args: readonly string[]): string;
  /** Waits until these ports of this machine return 200 at `/readyz`. */
  waitUntilReady(ports: readonly number[]): Promise<void>;
};

/** `image`: an archive of `content-radar`; `baseSystem`: the folder of a Debian system. */
export function openComposeProject(
  engine: DockerEngine,
  checkout: string,
  { image, baseSystem }: { readonly image: string; readonly baseSystem: string },
): ComposeProject {
  engine.run('docker', ['load', '--quiet', '--input', image]);
  const input = execFileSync('tar', ['-C', baseSystem, '-c', '.'], { maxBuffer: 2 ** 30 });
  engine.run('docker', ['import', '-', 'debian-base'], { input });
  const images = join(import.meta.dirname, 'images');
  for (const target of ['postgres', 'redis', 'nginx']) {
    const options = [
      '--quiet',
      '--network',
      'host',
      '--target',
      target,
      '--tag',
      `local-${target}`,
    ];
    engine.run('docker', ['build', ...options, images]);
  }
  // docker-compose of Debian 12 does not support the key `name`.
  const file = join(checkout, 'deploy/compose-without-name.yaml');
  const lines = readFileSync(join(checkout, 'deploy/compose.yaml'), 'utf8').split('\n');
  writeFileSync(file, lines.filter((line) => !line.startsWith('name:')).join('\n'));
  const env = {
    POSTGRES_IMAGE: 'local-postgres',
    REDIS_IMAGE: 'local-redis',
    NGINX_IMAGE: 'local-nginx',
    POSTGRES_PASSWORD: 'p',
    REDIS_PASSWORD: 'r',
  };
  const project = ['--project-name', 'content-radar', '--file', file, '--profile', 'nodes'];
  return {
    compose: (...args) => engine.run('docker-compose', [...project, ...args], { env }),
    waitUntilReady: async (ports) => {
      for (const port of ports) {
        await until(async () => ((await statusOf(port)) === 200 ? true : null));
      }
    },
  };
}

/** The status of `/readyz` at a port of this machine; 0: no response within two seconds. */
export const statusOf = (port: number): Promise<number> =>
  fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(2_000) }).then(
    ({ status }) => status,
    () => 0,
  );

/** Makes a call with a test key of a new account, so that the ledger stores a call. */
export async function makeTestCall({ compose }: ComposeProject): Promise<number> {
  const radar = (...args: readonly string[]) =>
    compose('exec', '-T', 'node-1', 'bin/radar', ...args);
  const email = 'a@example.com';
  radar('account', 'add', email);
  radar('account', 'confirm', email);
  const text = radar('account', 'key', 'add', email, '--test', '--kind', 'sk');
  const key = /\bsk-test-\w+/.exec(text)?.[0] ?? '';
  const response = await fetch('http://127.0.0.1:8100/api/v1/capabilities/ocr', {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ image_urls: ['https://example.com/a.png'] }),
  });
  return response.status;
}
