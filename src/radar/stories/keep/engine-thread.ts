// The engine as its seat asks it: steps go in, what it decided comes out.
import { openEngine } from '../engine.ts';
import type { StoryRules } from '../open-rules.ts';
import { type Heard, type Step, takeSteps } from './steps.ts';

export type EngineThread = {
  take(steps: readonly Step[]): Promise<Heard>;
};

export function openEngineThread(rules: StoryRules): EngineThread {
  const engine = openEngine(rules);
  return { take: async (steps) => takeSteps(engine, steps) };
}
