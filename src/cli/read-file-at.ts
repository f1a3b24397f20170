// Reads a file named on the command line. A failure is a Fault with the reason.
import { readFile } from 'node:fs/promises';
import { Fault, messageOf } from '../kernel/errors/fault.ts';

export async function readFileAt(path: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (cause) {
    throw new Fault('invalid_request', `${path} cannot be read: ${messageOf(cause)}`, { cause });
  }
}
