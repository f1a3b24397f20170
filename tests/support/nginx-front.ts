// Runs nginx with the shipped configuration, in a folder and on ports of a test.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { atEnd } from './at-end.ts';
import { projectRoot } from './checkout.ts';
import { freePort } from './free-port.ts';
import { until } from './until.ts';

/** Addresses of the nodes, such as `127.0.0.1:4000`. */
export type NodeAddresses = Readonly<Record<'radar' | 'gateway' | 'relay', string>>;

const readShippedFile = (name: string) =>
  readFileSync(join(projectRoot, 'deploy/nginx', name), 'utf8');

/** The files of deploy/nginx in another folder, where only addresses differ. */
export function makeNginxFolder(upstreams: string, ports: readonly number[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'radar-nginx-'));
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  let conf = readShippedFile('radar.conf')
    .replaceAll('/etc/nginx/radar/upstreams.conf', join(folder, 'upstreams.conf'))
    .replace('/var/cache/nginx-radar', join(folder, 'cache'));
  for (const [index, port] of ports.entries()) {
    conf = conf.replace(`listen ${8000 + 100 * index};`, `listen 127.0.0.1:${port};`);
  }
  writeFileSync(join(folder, 'radar.conf'), conf);
  writeFileSync(join(folder, 'upstreams.conf'), upstreams);
  const tempNames = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const tempSettings = tempNames
    .map((name) => `${name}_temp_path ${join(folder, name)};`)
    .join(' ');
  // When root starts nginx, the workers run as another user, who has no access to the test's
  // folder.
  const user = process.getuid?.() === 0 ? 'user root;' : '';
  const config = `${user} daemon off; pid ${join(folder, 'pid')}; error_log ${join(folder, 'log')};
    events { worker_connections 4096; }
    http { access_log off; ${tempSettings} include ${join(folder, 'radar.conf')}; }`;
  writeFileSync(join(folder, 'nginx.conf'), config);
  return folder;
}

/** Runs nginx in front of the nodes and returns its addresses. It ends with the test file. */
export async function openNginx(
  nginx: string,
  nodes: readonly NodeAddresses[],
): Promise<NodeAddresses> {
  const servers = (product: keyof NodeAddresses) =>
    nodes.map((node) => `server ${node[product]} max_fails=1 fail_timeout=2s;`).join(' ');
  const upstreamBlock = (product: keyof NodeAddresses) =>
    `upstream ${product}_nodes { ${servers(product)} keepalive 64; }`;
  const ports = [await freePort(), await freePort(), await freePort()] as const;
  const upstreams = [upstreamBlock('radar'), upstreamBlock('gateway'), upstreamBlock('relay')].join(
    '\n',
  );
  const folder = makeNginxFolder(upstreams, ports);
  const child = spawn(nginx, ['-c', join(folder, 'nginx.conf')], { stdio: 'ignore' });
  const closed = new Promise((resolve) => child.once('close', resolve));
  atEnd(async () => {
    child.kill('SIGTERM');
    await closed;
  });
  const [radar, gateway, relay] = ports.map((port) => `http://127.0.0.1:${port}`) as [
    string,
    string,
    string,
  ];
  await until(async () => (await fetch(`${radar}/healthz`).catch(() => null))?.ok || null);
  return { radar, gateway, relay };
}
