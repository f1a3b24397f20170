// The engine's thread. It reads the rules once, starts an empty engine on request, and replies to
// each list of steps with its decisions.
import { parentPort, workerData } from 'node:worker_threads';
import { requirePresent } from '../../../kernel/errors/assert.ts';
import type { Advice, Proposal } from '../advice/advice.ts';
import { openEngine } from '../clustering/engine.ts';
import type { StoryItem } from '../clustering/story-item.ts';
import { readStoryRules } from '../rules/read-story-rules.ts';
import { applySteps, type EngineReply, type Step } from './engine-commands.ts';

export type EngineRequest =
  | { readonly kind: 'begin' }
  | { readonly kind: 'execute'; readonly steps: readonly Step[] }
  | { readonly kind: 'propose'; readonly requests: readonly ProposalRequest[] };

/** An unassigned item with its neighbours by vector. */
export type ProposalRequest = { readonly item: StoryItem; readonly advice: Advice };

/** The properties of the thread's rules that other threads need. */
export type RulesInUse = {
  readonly version: string;
  /** Version of the features that the engine writes and accepts. */
  readonly featureVersion: string;
  /** Time after its newest report during which a story accepts items. */
  readonly liveDays: number;
  /** Join threshold in log-odds. */
  readonly joinFrom: number;
};

export type EngineResult =
  | { readonly kind: 'ready'; readonly rules: RulesInUse }
  | { readonly kind: 'begun' }
  | { readonly kind: 'decided'; readonly reply: EngineReply }
  | { readonly kind: 'proposed'; readonly proposals: readonly Proposal[] };

const port = requirePresent(parentPort, 'the thread’s port');
const rules = await readStoryRules(workerData.editorial);
let engine = openEngine(rules);

const result = (request: EngineRequest): EngineResult => {
  if (request.kind === 'execute')
    return { kind: 'decided', reply: applySteps(engine, request.steps) };
  if (request.kind === 'propose') {
    const proposals = request.requests.map(({ item, advice }) => engine.propose(item, advice));
    return { kind: 'proposed', proposals };
  }
  engine = openEngine(rules);
  return { kind: 'begun' };
};

// A step that throws ends the thread, since the state of its engine is undefined.
port.on('message', (request: EngineRequest) => port.postMessage(result(request)));
const { version, featureVersion, settings } = rules;
const { liveDays, joinFrom } = settings;
const ready: EngineResult = {
  kind: 'ready',
  rules: { version, featureVersion, liveDays, joinFrom },
};
port.postMessage(ready);
