// Loads stylesheets, scripts and fonts under names that contain a hash of their bytes. A named
// asset never changes, so browsers may cache it forever.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { requirePresent } from '../errors/assert.ts';

export type Asset = {
  readonly path: string;
  readonly contentType: string;
  readonly bytes: Buffer;
};

export type Assets = {
  /** Path of an asset by its plain name, `page.css`. Throws when there is no such asset. */
  path(name: string): string;
  find(path: string): Asset | null;
  readonly all: readonly Asset[];
};

const types: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  woff2: 'font/woff2',
  svg: 'image/svg+xml',
  png: 'image/png',
};

export const ASSET_CACHE_CONTROL = 'public, max-age=31536000, immutable';

/**
 * `files` maps plain names to files. A text file may refer to an earlier file with `asset(name)`.
 */
export function openAssets(files: Readonly<Record<string, URL>>): Assets {
  const assetByName = new Map<string, Asset>();
  const pathOf = (name: string) => requirePresent(assetByName.get(name), `the asset ${name}`).path;
  for (const [name, url] of Object.entries(files)) {
    const [, stem = '', extension = ''] = /^(.+)\.(\w+)$/.exec(name) ?? [];
    const bytes = rewriteLinks(readFileSync(fileURLToPath(url)), extension, pathOf);
    const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 12);
    const contentType = requirePresent(types[extension], `the type of ${name}`);
    assetByName.set(name, { path: `/assets/${stem}.${hash}.${extension}`, contentType, bytes });
  }
  const assetByPath = new Map([...assetByName.values()].map((asset) => [asset.path, asset]));
  return {
    path: pathOf,
    find: (path) => assetByPath.get(path) ?? null,
    all: [...assetByPath.values()],
  };
}

function rewriteLinks(bytes: Buffer, extension: string, pathOf: (name: string) => string): Buffer {
  if (extension !== 'css' && extension !== 'js') return bytes;
  const text = bytes.toString().replaceAll(/asset\(([\w.-]+)\)/g, (_all, name) => pathOf(name));
  return Buffer.from(text);
}
