// How far long work is: one line that is written over on a terminal, a plain line now and then
// elsewhere. On standard error, so that the answer stays clean.
import type { Clock } from '../kernel/time/clock.ts';
import type { Terminal } from './app.ts';

export type Progress = {
  /** Shows where the work stands now. */
  at(text: string): void;
  /** Clears the line for other output; the next `at` shows it again. */
  clear(): void;
};

const PLAIN_EVERY_MS = 5_000;
const CLEAR_LINE = '\r\u001b[2K';

export function openProgress(clock: Clock, { isInteractive, note }: Terminal): Progress {
  let shown = '';
  let shownAt = 0;
  return {
    at: (text) => {
      const now = clock.now();
      if (text === shown || (!isInteractive && now - shownAt < PLAIN_EVERY_MS)) return;
      note(isInteractive ? `${CLEAR_LINE}${text}` : `${text}\n`);
      [shown, shownAt] = [text, now];
    },
    clear: () => {
      if (isInteractive && shown !== '') note(CLEAR_LINE);
      shown = '';
    },
  };
}
