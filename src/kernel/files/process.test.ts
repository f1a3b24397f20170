import { readdirSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { expect, test } from 'vitest';
import { lowerHelperPriority } from './process.ts';

test.runIf(process.platform === 'linux')(
  'helper threads of V8 get a lower priority, and other threads keep theirs',
  () => {
    const priorities = () =>
      readdirSync('/proc/self/task').map((id) => {
        const isHelper = readFileSync(`/proc/self/task/${id}/comm`, 'utf8').startsWith('V8Worker');
        return { id, isHelper, priority: getPriority(Number(id)) };
      });
    const before = priorities();
    lowerHelperPriority();
    const expected = before.map((thread) =>
      thread.isHelper ? { ...thread, priority: Math.max(10, thread.priority) } : thread,
    );
    expect(before.some(({ isHelper }) => isHelper)).toBe(true);
    expect(priorities()).toEqual(expected);
  },
);
