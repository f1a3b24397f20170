// Error for a data folder that another process already serves.
import { Fault } from '../../kernel/errors/fault.ts';
import type { ServeLock } from '../../store/platform/serve-lock.ts';

export function alreadyServedFault(
  dataDir: string,
  { pid, part }: Extract<ServeLock, { kind: 'taken' }>,
): Fault {
  const owner = pid === null ? 'another process' : `process ${pid}`;
  return new Fault(
    'temporarily_unavailable',
    `${dataDir} is served already: ${owner} runs the ${part}. ` +
      'Stop that process first, or set another DATA_DIR for this process.',
  );
}
