// Installs Claude Code and Codex from npm, at fixed versions, in a temporary folder. The binaries
// of their platform packages are started directly; no install script runs.
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { atEnd } from '../support/at-end.ts';

export const CLAUDE_VERSION = '2.1.330';
export const CODEX_VERSION = '0.169.0';

export type InstalledClients = { readonly claude: string; readonly codex: string };

export async function installClients(): Promise<InstalledClients> {
  const platform = `${process.platform}-${process.arch}`;
  const folder = mkdtempSync(join(tmpdir(), 'radar-clients-'));
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  const packages = [
    `@anthropic-ai/claude-code-${platform}@${CLAUDE_VERSION}`,
    `codex@npm:@openai/codex@${CODEX_VERSION}-${platform}`,
  ];
  const options = ['--ignore-scripts', '--no-audit', '--no-fund'];
  await promisify(execFile)('npm', ['install', ...options, ...packages], { cwd: folder });
  const modules = join(folder, 'node_modules');
  const vendor = join(modules, 'codex/vendor');
  const [target = ''] = readdirSync(vendor);
  return {
    claude: join(modules, `@anthropic-ai/claude-code-${platform}/claude`),
    codex: join(vendor, target, 'bin/codex'),
  };
}
