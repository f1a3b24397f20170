// A checkout that is small enough to copy quickly: the embedded server, `user-process.ts`, and a
// platform package.
import { cpSync, lstatSync, mkdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { packageFolder } from '../../../src/store/embedded-postgres/locate-runtime.ts';
import { projectRoot } from '../../support/checkout.ts';

const parts = [
  'package.json',
  'src/kernel',
  'src/store/embedded-postgres',
  'tests/store/embedded-postgres/user-process.ts',
];

/** `package` as npm unpacks it (without symbolic links), with its links, or absent. */
export function copyToCheckout(
  root: string,
  { package: packageState }: { readonly package: 'unpacked' | 'linked' | 'missing' },
): string {
  mkdirSync(root, { recursive: true });
  for (const part of parts) cpSync(join(projectRoot, part), join(root, part), { recursive: true });
  if (packageState === 'missing') return root;
  const source = packageFolder();
  const target = join(root, relative(projectRoot, source));
  cpSync(source, target, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (path) => packageState === 'linked' || !lstatSync(path).isSymbolicLink(),
  });
  return root;
}
