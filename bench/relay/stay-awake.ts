// Keeps its core awake by a loop with the lowest priority. On a virtual machine the wake-up of a
// core takes as long as a measured call.
import { constants, setPriority } from 'node:os';

setPriority(constants.priority.PRIORITY_LOW);
const SPIN_MS = 20;

function keepBusy(): void {
  const until = performance.now() + SPIN_MS;
  while (performance.now() < until);
  setImmediate(keepBusy);
}

process.on('message', () => process.exit(0));
process.on('disconnect', () => process.exit(0));
process.send?.('awake');
keepBusy();
