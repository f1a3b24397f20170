// Reads the passphrase of a backup from a file, the environment or a terminal, in this order.
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { Fault, messageOf } from '../../kernel/errors/fault.ts';
import type { App } from '../app.ts';

const MIN_LENGTH = 12;

export const passphraseFileFlag = [
  '--passphrase-file <path>',
  'the file with the passphrase; without it BACKUP_PASSPHRASE, or a prompt at the terminal',
] as const;

export async function requestNewPassphrase(app: App, file: string | undefined): Promise<string> {
  const configured = readPassphrase(app, file);
  const passphrase = configured ?? (await promptText(app, 'Passphrase of the new backup: '));
  if ([...passphrase].length < MIN_LENGTH) {
    throw new Fault(
      'invalid_request',
      `The passphrase is too short: a backup needs at least ${MIN_LENGTH} characters.`,
    );
  }
  if (configured === null && (await promptText(app, 'Repeat the passphrase: ')) !== passphrase) {
    throw new Fault('invalid_request', 'The two passphrases differ. Nothing was written.');
  }
  return passphrase;
}

export async function requestPassphrase(app: App, file: string | undefined): Promise<string> {
  return readPassphrase(app, file) ?? promptText(app, 'Passphrase of the backup: ');
}

/** Null: neither a file nor the environment has one. */
function readPassphrase(app: App, file: string | undefined): string | null {
  if (file === undefined) return app.backupPassphrase();
  try {
    return readFileSync(file, 'utf8').replace(/\r?\n$/, '');
  } catch (error) {
    throw new Fault('invalid_request', `The passphrase cannot be read: ${messageOf(error)}`);
  }
}

/** Reads one line from the terminal without showing it. */
async function promptText({ terminal }: App, question: string): Promise<string> {
  if (!terminal.isInteractive || !process.stdin.isTTY) {
    throw new Fault(
      'invalid_request',
      'The backup needs a passphrase: name a file with --passphrase-file, or set ' +
        'BACKUP_PASSPHRASE.',
    );
  }
  const silentOutput = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: silentOutput, terminal: true });
  terminal.note(question);
  try {
    return await lines.question('');
  } finally {
    lines.close();
    terminal.note('\n');
  }
}
