import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { listedTools, requireTool } from './tools.ts';

const folder = mkdtempSync(join(tmpdir(), 'tools-'));
const nginx = join(folder, 'nginx');
writeFileSync(nginx, '#!/bin/sh\n');
chmodSync(nginx, 0o755);
writeFileSync(join(folder, 'wrk'), 'not a program');
afterAll(() => rmSync(folder, { recursive: true }));

it('finds a listed program', () => {
  const found = requireTool('nginx', { folders: ['/nowhere', folder], isCi: true });
  expect(found).toEqual({ kind: 'found', path: nginx });
});

it('reports a missing program, and ignores a file that cannot run', () => {
  const missing = requireTool('wrk', { folders: [folder], isCi: false });
  expect(missing).toEqual({ kind: 'missing', name: 'wrk' });
});

it('fails in CI when a program is missing', () => {
  expect(() => requireTool('wrk', { folders: [folder], isCi: true })).toThrow('this is CI');
});

it('refuses a program that CI would not install', () => {
  const machine = { folders: ['/bin'], isCi: false };
  expect(() => requireTool('sh', machine)).toThrow('not listed');
});

it('lists every program with its Debian packages', () => {
  expect([...listedTools()]).toEqual([
    ['initdb', 'postgresql-15'],
    ['pg_dump', 'postgresql-client-15'],
    ['nginx', 'nginx'],
    ['wrk', 'wrk'],
    ['redis-server', 'redis-server'],
    ['tesseract', 'tesseract-ocr tesseract-ocr-chi-sim'],
    ['ffmpeg', 'ffmpeg'],
    ['chromium', 'chromium fonts-noto-cjk'],
    ['systemd-analyze', 'systemd'],
    ['pgbouncer', 'pgbouncer'],
    ['patroni', 'patroni python3-etcd'],
    ['etcd', 'etcd-server'],
    ['haproxy', 'haproxy'],
    ['ip', 'iproute2'],
  ]);
});
