// Something to do that gives way to everything else, so that its core does not sleep: on a virtual
// machine waking one up takes as long as what is measured.
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
