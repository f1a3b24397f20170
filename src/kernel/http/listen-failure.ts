// Explains to an operator why a server cannot listen. The error names the address, the remedy, and
// the variable to change.
import { Fault, messageOf } from '../errors/fault.ts';

/** The address to listen on, and the name of the variable that sets its port. */
export type ListenAddress = {
  readonly host: string;
  readonly port: number;
  readonly variable: string;
};

/** A failure to listen as a Fault; other errors are returned unchanged. */
export function explainListenFault(
  { host, port, variable }: ListenAddress,
  error: unknown,
): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const advice = advices.get(code)?.(variable);
  if (advice === undefined) return error;
  return new Fault(
    'temporarily_unavailable',
    `Cannot listen on ${host}, port ${port}: ${advice} The error was: ${messageOf(error)}`,
    { cause: error },
  );
}

const noSuchHost = () =>
  'HOST is not an address of this machine (127.0.0.1 and 0.0.0.0 always are).';

const advices = new Map<string, (variable: string) => string>([
  [
    'EADDRINUSE',
    (variable) => `another program listens there. Stop it, or set ${variable} to another port.`,
  ],
  ['EACCES', (variable) => `only root may listen there. Set ${variable} to 1024 or more.`],
  ['EADDRNOTAVAIL', noSuchHost],
  ['ENOTFOUND', noSuchHost],
  ['EAI_AGAIN', noSuchHost],
]);
