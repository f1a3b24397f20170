// Opens the model client with the demonstration's model server over HTTP and a database per test
// file. The clock runs fifty times faster than real time.

import { z } from 'zod';
import {
  type ModelServer,
  modelKey,
  openModelServer,
} from '../../demo/upstream/model/open-model-server.ts';
import { openNet } from '../../src/kernel/net/open-net.ts';
import type { Db } from '../../src/kernel/ports/db.ts';
import type { ModelTask, Prompt } from '../../src/kernel/ports/model.ts';
import type { World } from '../../src/kernel/world.ts';
import {
  type ModelFile,
  type ModelSettings,
  modelSchema,
} from '../../src/radar/model/model-config.ts';
import { type ModelClient, openModel } from '../../src/radar/model/open-model.ts';
import { atEnd } from '../support/at-end.ts';
import { databasePacedClock } from '../support/database-paced-clock.ts';
import { openTestDatabase } from '../support/test-database.ts';
import { TEST_NOW, testWorld } from '../support/test-world.ts';

export const MODEL = 'demo-editor';
const SPEED = 50;

export type TestModel = {
  readonly world: World;
  readonly db: Db;
  readonly server: ModelServer;
  readonly logged: string[];
  /** The outcome of every request until now. */
  readonly outcomes: string[];
  /** Opens a model client as another process has it, with the same store. */
  openProcess(file?: z.input<typeof modelSchema>, overrides?: Partial<ModelSettings>): ModelClient;
  /** Advances the clock at once. */
  passTime(ms: number): void;
};

/** Call at the top of a test file. */
export async function openTestModel(): Promise<TestModel> {
  const test = testWorld();
  const { db } = await openTestDatabase();
  const clock = databasePacedClock(TEST_NOW, db);
  clock.run(SPEED);
  const net = openNet({ clock, privateHosts: [], politenessMs: 0, userAgent: 'ContentRadar/test' });
  const world: World = { ...test.world, clock, net };
  const server = await openModelServer({ clock });
  const outcomes: string[] = [];
  atEnd(async () => {
    await net.close();
    await server.close();
  });
  return {
    world,
    db,
    server,
    outcomes,
    logged: test.logged,
    openProcess: (file = {}, overrides = {}) => {
      const settings = { ...settingsFor(server, modelSchema.parse(file)), ...overrides };
      return openModel(world, db, { settings, onEvent: ({ outcome }) => outcomes.push(outcome) });
    },
    passTime: clock.advance,
  };
}

export function settingsFor({ url }: ModelServer, file: ModelFile): ModelSettings {
  return { url, key: modelKey, name: MODEL, embeddingModel: 'demo-vectors', file };
}

const scorePrompt: Prompt = {
  id: 'score',
  step: 'score',
  version: 'v1',
  system: 'Say how much it matters.\n\nAnswer: {"score": 0 to 100}',
  answerTokens: 100,
};

const shape = z.strictObject({ score: z.int().min(0).max(100) });

export type Score = z.infer<typeof shape>;

/** A question about a unique text. */
export function scoreOf(text: string, overrides: Partial<ModelTask<Score>> = {}): ModelTask<Score> {
  return {
    step: 'score',
    prompt: scorePrompt,
    shape,
    input: `<<<a text\n${text}\na>>>`,
    ...overrides,
  };
}
