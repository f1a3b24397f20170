// A loop of the lowest priority that keeps its core awake. On a virtual machine the wake-up of a
// core takes as long as the measured call.
import { constants, setPriority } from 'node:os';

setPriority(constants.priority.PRIORITY_LOW);
const TURN_MS = 20;

function spin(): void {
  const until = performance.now() + TURN_MS;
  while (performance.now() < until);
  setImmediate(spin);
}

process.on('message', () => process.exit(0));
process.on('disconnect', () => process.exit(0));
process.send?.('awake');
spin();
