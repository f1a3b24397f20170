// Starts a separate Docker engine, whose images, containers and socket are in one folder. It has no
// default bridge, so it can run beside another engine. It needs root.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../support/until.ts';

export type DockerEngine = {
  /** Runs `docker` or `docker-compose` to its end and returns what it prints. Throws on failure. */
  run(
    program: 'docker' | 'docker-compose',
    args: readonly string[],
    options?: { readonly env?: NodeJS.ProcessEnv; readonly input?: Buffer },
  ): string;
  /** Removes all containers and networks, ends the engine, and restores the packet filter. */
  stop(): Promise<void>;
};

const forwarding = '/proc/sys/net/ipv4/ip_forward';

export async function startDockerEngine(folder: string): Promise<DockerEngine> {
  const host = `unix://${join(folder, 'docker.sock')}`;
  const rules = execFileSync('iptables-save');
  const forwardingBefore = readFileSync(forwarding, 'utf8');
  const logFile = join(folder, 'dockerd.log');
  const log = openSync(logFile, 'w');
  const child = spawn(
    'dockerd',
    [
      ...['--host', host, '--bridge', 'none', '--log-level', 'error'],
      ...['--data-root', join(folder, 'docker'), '--exec-root', join(folder, 'docker-run')],
      ...['--pidfile', join(folder, 'docker.pid')],
    ],
    { stdio: ['ignore', log, log] },
  );
  const run: DockerEngine['run'] = (program, args, { env = {}, input } = {}) =>
    execFileSync(program, args, {
      env: { ...process.env, DOCKER_HOST: host, DOCKER_BUILDKIT: '0', ...env },
      encoding: 'utf8',
      maxBuffer: 2 ** 26,
      ...(input !== undefined && { input }),
      stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'inherit'],
    }).trim();
  await until(async () => {
    if (child.exitCode !== null) throw new Error(readFileSync(logFile, 'utf8'));
    return existsSync(join(folder, 'docker.sock')) || null;
  });
  return {
    run,
    stop: async () => {
      const containers = run('docker', ['ps', '--all', '--quiet']);
      if (containers !== '') run('docker', ['rm', '--force', ...containers.split('\n')]);
      run('docker', ['network', 'prune', '--force']);
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      await exited;
      execFileSync('iptables-restore', { input: rules });
      writeFileSync(forwarding, forwardingBefore);
    },
  };
}
