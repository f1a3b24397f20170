// Progress of long commands: one line that is overwritten on a terminal, otherwise at most one line
// every five seconds. It uses standard error, so standard output has only the result.
import type { Clock } from '../kernel/time/clock.ts';
import type { Terminal } from './app.ts';

export type Progress = {
  /** Shows the current progress. */
  show(text: string): void;
  /** Clears the line for other output; the next `show` writes it again. */
  clear(): void;
};

const PLAIN_EVERY_MS = 5_000;
const CLEAR_LINE = '\r\u001b[2K';

export function openProgress(clock: Clock, { isInteractive, note }: Terminal): Progress {
  let displayed = '';
  let shownAt = 0;
  return {
    show: (text) => {
      const now = clock.now();
      if (text === displayed || (!isInteractive && now - shownAt < PLAIN_EVERY_MS)) return;
      note(isInteractive ? `${CLEAR_LINE}${text}` : `${text}\n`);
      [displayed, shownAt] = [text, now];
    },
    clear: () => {
      if (isInteractive && displayed !== '') note(CLEAR_LINE);
      displayed = '';
    },
  };
}
