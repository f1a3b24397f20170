// The place of a path in the project: kernel, store, a module, an entry point, or outside of `src`.
// The rules about imports use these terms.
import { posix } from 'node:path';

export type Product = 'radar' | 'gateway';

export type ModulePlace =
  | { readonly kind: 'kernel' | 'store' | 'main' | 'config' | 'nowhere' }
  /**
   * A module without a product (`operators`) belongs to both products, as does an entry point
   * without one (`jobs`, `cli`).
   */
  | { readonly kind: 'module'; readonly product: Product | null; readonly name: string }
  | { readonly kind: 'entry_point'; readonly product: Product | null; readonly name: string }
  | { readonly kind: 'outside'; readonly name: string };

const modules: Readonly<Record<Product, readonly string[]>> = {
  radar: [
    'language',
    'sources',
    'enrichment',
    'stories',
    'ranking',
    'reports',
    'publication',
    'model',
    'subscriptions',
  ],
  gateway: ['accounts', 'keys', 'wallet', 'calls', 'capabilities', 'relay', 'webhooks'],
};

const entryPoints: Readonly<Record<Product, readonly string[]>> = {
  radar: ['api', 'pages', 'admin'],
  gateway: ['api', 'console', 'admin'],
};

const sharedModules = ['operators', 'notifications', 'alerts', 'retention'];
const sharedEntryPoints = ['jobs', 'cli'];

/** A shell script, of which the rules check only the comments. */
export const isShellScript = (path: string): boolean =>
  path.endsWith('.sh') || /^bin\/[\w-]+$/.test(path);

/** The place of a path from the project's root; a path of `src` without one is `nowhere`. */
export function placeOf(path: string): ModulePlace {
  const [top = '', second = '', third = '', ...otherParts] = path.split('/');
  if (top !== 'src') return { kind: 'outside', name: top };
  if (/^src\/(main\.ts|app\/)/.test(path)) return { kind: 'main' };
  if (/^src\/config(\.test)?\.ts$/.test(path)) return { kind: 'config' };
  if ((second === 'kernel' || second === 'store') && third !== '') return { kind: second };
  if (sharedModules.includes(second) && third !== '') {
    return { kind: 'module', product: null, name: second };
  }
  if (sharedEntryPoints.includes(second) && third !== '') {
    return { kind: 'entry_point', product: null, name: second };
  }
  if ((second === 'radar' || second === 'gateway') && otherParts.length > 0) {
    const name = `${second}/${third}`;
    if (modules[second].includes(third)) return { kind: 'module', product: second, name };
    if (entryPoints[second].includes(third)) return { kind: 'entry_point', product: second, name };
  }
  return { kind: 'nowhere' };
}

/** Whether a path is a test or test support. These files may import every module. */
export function isTestPath(path: string): boolean {
  return path.startsWith('tests/') || /\.test\.[cm]?[jt]sx?$/.test(path);
}

export function isCode(path: string): boolean {
  return /\.[cm]?[jt]sx?$/.test(path);
}

/** Code of `src` that runs in production. */
export function isProductionCode(path: string): boolean {
  return path.startsWith('src/') && isCode(path) && !isTestPath(path);
}

/**
 * The target of an import specifier in a file: a path of the project (`src/…`), or a package or
 * built-in module as it is written.
 */
export function targetOf(from: string, specifier: string): string {
  return specifier.startsWith('.')
    ? posix.join(posix.dirname(from), specifier)
    : specifier.replace(/^file:\/\//, '');
}

/** Whether a specifier names a package or built-in module rather than a file of the project. */
export function isPackage(specifier: string): boolean {
  return !specifier.startsWith('.') && !specifier.startsWith('/');
}

/** `undici` for `undici/types`, `@scope/name` for `@scope/name/deep`, `node:fs` for itself. */
export function packageOf(specifier: string): string {
  const parts = specifier.split('/');
  return specifier.startsWith('node:')
    ? specifier
    : parts.slice(0, specifier.startsWith('@') ? 2 : 1).join('/');
}
