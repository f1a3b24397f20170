// A test's house whose desk asks a model at an address: real asking with receipts, real HTTP.

import { type ModelServices, openModelServices } from '../../src/app/serve/open-model-writers.ts';
import { modelSchema } from '../../src/radar/model/model-config.ts';
import { openModel } from '../../src/radar/model/open-model.ts';
import { openTestHouse, type TestHouse } from './test-radar.ts';

/** Call at the top of a test file. `url`: of the model's server. */
export async function openModelHouse(url: string, language: 'en' | 'zh-CN' = 'en') {
  const asked: { model?: ReturnType<typeof openModel>; room?: ModelServices } = {};
  const house: TestHouse = await openTestHouse(1, {
    modelDesk: async ({ world, db, editorial, desk }) => {
      const file = modelSchema.parse({});
      const settings = { url, key: 'demo-model-key', name: 'demo-editor', embeddingModel: null };
      const model = openModel(world, db, { settings: { ...settings, file } });
      asked.model = model;
      const config = { language, file: { editorial: 'editorial' } };
      asked.room = await openModelServices(config, { editorial, enricher: desk, ask: model.ask });
      return asked.room.enricher;
    },
  });
  const { model, room } = asked;
  if (!model || !room) throw new Error('the house opens its model');
  return { ...house, model, room };
}
