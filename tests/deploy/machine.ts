// A Debian machine in a folder: debootstrap makes it, and systemd-nspawn starts it with a separate
// network. It needs root.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { requirePresent } from '../../src/kernel/errors/assert.ts';
import { until } from '../support/until.ts';

export type CommandResult = { readonly code: number; readonly out: string };

export type Machine = {
  /** Runs a program inside, as root. */
  run(...command: readonly string[]): CommandResult;
  stop(): void;
};

/** Installs the Debian packages of this list that are missing. */
export function installPackages(...packages: readonly string[]): void {
  const missingPackages = packages.filter((name) => {
    // A field of dpkg-query, and not a placeholder of a template.
    const status = ['-W', '-f', '$' + '{Status}', name];
    return !runHere('dpkg-query', ...status).out.includes('install ok installed');
  });
  if (missingPackages.length === 0) return;
  const apt = ['-qq', '-o', 'DPkg::Lock::Timeout=120', '-o', 'Acquire::Retries=3'];
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const options = { env, stdio: 'ignore' } as const;
  execFileSync('apt-get', [...apt, 'update'], options);
  execFileSync(
    'apt-get',
    [...apt, 'install', '-y', '--no-install-recommends', ...missingPackages],
    options,
  );
}

/** Makes a minimal Debian system with these packages. */
export function makeSystem(folder: string, packages: readonly string[]): void {
  const sources = runHere(
    'sh',
    '-c',
    'cat /etc/apt/sources.list /etc/apt/sources.list.d/*.sources',
  );
  const mirror = /https?:\/\/\S+\/debian(?=\s|$)/m.exec(sources.out)?.[0];
  const include = `--include=${packages.join(',')}`;
  const fromMirror = mirror ?? 'http://deb.debian.org/debian';
  execFileSync('debootstrap', ['--variant=minbase', include, 'bookworm', folder, fromMirror], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

/** Boots systemd of the folder and waits until it has started its units. */
export async function bootMachine(folder: string): Promise<Machine> {
  const machine = await enterContainer([...nspawn, '-D', folder, '--private-network', '--boot']);
  await until(async () => {
    const state = machine.run('systemctl', 'is-system-running').out.trim();
    return ['running', 'degraded'].includes(state) || null;
  });
  return machine;
}

export type ContainerOptions = {
  readonly user: string;
  readonly workingFolder: string;
  readonly environment: readonly string[];
  /** A folder for `/data`. */
  readonly data: string;
};

/** Runs one program of an image, with a read-only root, no capability, and a separate network. */
export function startContainer(
  folder: string,
  command: readonly string[],
  { user, workingFolder, environment, data }: ContainerOptions,
): Promise<Machine & { readonly child: ChildProcess }> {
  const limits = ['--read-only', '--drop-capability=all', '--no-new-privileges=yes'];
  const folders = ['--tmpfs=/tmp:mode=1777', `--bind=${data}:/data`, `--chdir=${workingFolder}`];
  const variables = environment.map((variable) => `--setenv=${variable}`);
  const options = [...limits, ...folders, `--user=${user}`, ...variables, '--private-network'];
  return enterContainer([...nspawn, '-D', folder, ...options, '--as-pid2', '--', ...command]);
}

const nspawn = ['systemd-nspawn', '--quiet', '--register=no', '--keep-unit', '--console=pipe'];

async function enterContainer(command: readonly string[]) {
  const [program = '', ...args] = command;
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (bytes) => {
      text += bytes;
    });
  }
  const nspawnPid = requirePresent(child.pid, 'a process');
  const pid = await until(async () => {
    if (child.exitCode !== null) throw new Error(`${command.join(' ')}: ${text}`);
    return firstChild(nspawnPid);
  });
  // The first child may only prepare the machine and then end.
  const enterNamespaces = () => [
    ...['-t', String(firstChild(nspawnPid) ?? pid)],
    ...['-m', '-u', '-i', '-n', '-p', '-r', '-w', '--'],
  ];
  return {
    child,
    run: (...command: readonly string[]) => runHere('nsenter', ...enterNamespaces(), ...command),
    stop: () => {
      child.kill('SIGKILL');
    },
  };
}

/** The first process inside the machine, because nspawn has only one child at a time. */
function firstChild(parent: number): number | null {
  const children = readFileSync(`/proc/${parent}/task/${parent}/children`, 'utf8').trim();
  return children === '' ? null : Number(children.split(' ')[0]);
}

/** Runs a program of this machine to its end. */
export function runHere(program: string, ...args: readonly string[]): CommandResult {
  try {
    const output = execFileSync(program, args, {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    return { code: 0, out: output };
  } catch (error) {
    const { status, stdout, stderr } = error as { status: number; stdout: string; stderr: string };
    return { code: status ?? -1, out: `${stdout ?? ''}${stderr ?? ''}` };
  }
}
