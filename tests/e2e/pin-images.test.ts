// Runs deploy/pin-images against a registry on this machine, which needs a token like Docker Hub.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';

const execute = promisify(execFile);
let brokenKind: 'none' | 'digest' | 'missing' = 'none';
let origin = '';

const manifestOf = (path: string) => JSON.stringify({ schemaVersion: 2, path });
const digestOf = (text: string) => `sha256:${createHash('sha256').update(text).digest('hex')}`;

const registry = createServer((req, res) => {
  const { pathname, searchParams } = new URL(req.url ?? '/', origin);
  if (pathname === '/token') {
    res.end(JSON.stringify({ token: `for ${searchParams.get('scope')}` }));
    return;
  }
  const [, name = ''] = /^\/v2\/(.+)\/manifests\//.exec(pathname) ?? [];
  const scope = `repository:${name}:pull`;
  if (req.headers.authorization !== `Bearer for ${scope}`) {
    const challenge = `Bearer realm="${origin}/token",service="registry.test",scope="${scope}"`;
    res.writeHead(401, { 'www-authenticate': challenge }).end('{}');
    return;
  }
  if (brokenKind === 'missing' && name === 'library/redis') {
    res.writeHead(404).end('{}');
    return;
  }
  const body = manifestOf(pathname);
  const statedDigest = brokenKind === 'digest' ? digestOf('another manifest') : digestOf(body);
  res.writeHead(200, { 'docker-content-digest': statedDigest }).end(body);
});

beforeAll(async () => {
  await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(registry.address() as AddressInfo).port}`;
});
afterAll(() => registry.close());

const pinImages = () =>
  execute('deploy/pin-images', { env: { PATH: process.env.PATH, REGISTRY: origin } }).then(
    ({ stdout }) => ({ code: 0, out: stdout, err: '' }),
    ({ code, stdout, stderr }) => ({ code, out: stdout, err: stderr }),
  );

test('prints every image of the deploy files with the digest of its manifest', async () => {
  brokenKind = 'none';
  const { code, out } = await pinImages();
  expect(code).toBe(0);
  const lines = out.trimEnd().split('\n');
  const compose = readFileSync('deploy/compose.yaml', 'utf8');
  const dockerfile = readFileSync('deploy/Dockerfile', 'utf8');
  const composeImages = compose.matchAll(/\$\{(\w+_IMAGE):-([^}@]+)(@[^}]+)?\}/g);
  const defaults = [...composeImages].map(([, ...match]) => match);
  expect(new Set(defaults.map(([name]) => name)).size).toBe(lines.length);
  for (const [name = '', image = ''] of defaults) {
    const [repository = '', tag = ''] = image.split(':');
    const manifest = manifestOf(`/v2/library/${repository}/manifests/${tag}`);
    expect(lines).toContain(`${name}=${image}@${digestOf(manifest)}`);
  }
  // The Dockerfile has the same defaults as the compose file.
  for (const [, name = '', image = '', digest] of dockerfile.matchAll(
    /^ARG (\w+_IMAGE)=([^@]+)(@.+)?$/gm,
  )) {
    expect(defaults).toContainEqual([name, image, digest]);
  }
});

test('every image of the deploy files has a digest, except the one that is built', () => {
  const pinnedImage = /@sha256:[0-9a-f]{64}\}?$/;
  const compose = readFileSync('deploy/compose.yaml', 'utf8');
  const images = [...compose.matchAll(/^ *(?:image|[A-Z]+_IMAGE): (.+)$/gm)].map(
    ([, image]) => image,
  );
  expect(images.filter((image = '') => !pinnedImage.test(image))).toEqual(['content-radar']);
  expect(images).toHaveLength(6);
  const dockerfile = readFileSync('deploy/Dockerfile', 'utf8');
  const args = [...dockerfile.matchAll(/^ARG (\w+)=(.+)$/gm)];
  expect(args.filter(([, , image = '']) => !pinnedImage.test(image))).toEqual([]);
  const bases = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, image]) => image);
  expect(bases).toEqual(args.map(([, name]) => `\${${name}}`));
});

test.each([
  ['digest', 'the registry states sha256:'],
  ['missing', '/v2/library/redis/manifests/8 returned 404'],
] as const)('prints nothing after a failure: %s', async (kind, message) => {
  brokenKind = kind;
  const { code, out, err } = await pinImages();
  expect([code, out]).toEqual([1, '']);
  expect(err).toContain(message);
});

test('prints nothing when the registry does not respond', async () => {
  const { code, out, err } = await execute('deploy/pin-images', {
    env: { PATH: process.env.PATH, REGISTRY: 'http://127.0.0.1:9' },
  }).then(
    () => ({ code: 0, out: 'all', err: '' }),
    ({ code, stdout, stderr }) => ({ code, out: stdout, err: stderr }),
  );
  expect([code, out]).toEqual([1, '']);
  expect(err).toMatch(/http:\/\/127\.0\.0\.1:9\/\S+ did not respond/);
});
