// The shipped nginx configuration, in a folder and on ports of a test.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { projectRoot } from './checkout.ts';
import { freePort } from './free-port.ts';
import { until } from './until.ts';

/** Addresses of the nodes, such as `127.0.0.1:4000`. */
export type NodeAddresses = Readonly<Record<'radar' | 'gateway' | 'relay', string>>;

const shipped = (name: string) => readFileSync(join(projectRoot, 'deploy/nginx', name), 'utf8');

/** The files of deploy/nginx in another folder, where only addresses differ. */
export function nginxFolder(upstreams: string, ports: readonly number[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'radar-nginx-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  let conf = shipped('radar.conf')
    .replaceAll('/etc/nginx/radar/upstreams.conf', join(folder, 'upstreams.conf'))
    .replace('/var/cache/nginx/radar', join(folder, 'cache'));
  for (const [index, port] of ports.entries()) {
    conf = conf.replace(`listen ${8000 + 100 * index};`, `listen 127.0.0.1:${port};`);
  }
  writeFileSync(join(folder, 'radar.conf'), conf);
  writeFileSync(join(folder, 'upstreams.conf'), upstreams);
  const temp = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const paths = temp.map((name) => `${name}_temp_path ${join(folder, name)};`).join(' ');
  // Workers started by root run as another user without access to the test's folder.
  const user = process.getuid?.() === 0 ? 'user root;' : '';
  const config = `${user} daemon off; pid ${join(folder, 'pid')}; error_log ${join(folder, 'log')};
    events { worker_connections 4096; }
    http { access_log off; ${paths} include ${join(folder, 'radar.conf')}; }`;
  writeFileSync(join(folder, 'nginx.conf'), config);
  return folder;
}

/** Runs nginx in front of the nodes and returns its addresses. It ends with the test file. */
export async function openNginx(
  nginx: string,
  nodes: readonly NodeAddresses[],
): Promise<NodeAddresses> {
  const servers = (part: keyof NodeAddresses) =>
    nodes.map((node) => `server ${node[part]} max_fails=1 fail_timeout=2s;`).join(' ');
  const block = (part: keyof NodeAddresses) =>
    `upstream ${part}_nodes { ${servers(part)} keepalive 64; }`;
  const ports = [await freePort(), await freePort(), await freePort()] as const;
  const upstreams = [block('radar'), block('gateway'), block('relay')].join('\n');
  const folder = nginxFolder(upstreams, ports);
  const child = spawn(nginx, ['-c', join(folder, 'nginx.conf')], { stdio: 'ignore' });
  const ended = new Promise((resolve) => child.once('close', resolve));
  afterAll(async () => {
    child.kill('SIGTERM');
    await ended;
  });
  const [radar, gateway, relay] = ports.map((port) => `http://127.0.0.1:${port}`) as [
    string,
    string,
    string,
  ];
  await until(async () => (await fetch(`${radar}/healthz`).catch(() => null))?.ok || null);
  return { radar, gateway, relay };
}
