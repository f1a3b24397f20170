// Opens an application whose enricher sends requests to a model server over real HTTP. The database
// stores the requests.

import { type ModelServices, openModelServices } from '../../src/app/serve/open-model-writers.ts';
import { modelSchema } from '../../src/radar/model/model-config.ts';
import { openModel } from '../../src/radar/model/open-model.ts';
import { openTestApp, type TestApp } from './test-radar.ts';

/** Call at the top of a test file. `url`: address of the model's server. */
export async function openModelApp(url: string, language: 'en' | 'zh-CN' = 'en') {
  const components: { model?: ReturnType<typeof openModel>; services?: ModelServices } = {};
  const app: TestApp = await openTestApp(1, {
    openModelEnricher: async ({ world, db, editorial, enricher }) => {
      const file = modelSchema.parse({});
      const settings = { url, key: 'demo-model-key', name: 'demo-editor', embeddingModel: null };
      const model = openModel(world, db, { settings: { ...settings, file } });
      components.model = model;
      const config = { language, file: { editorial: 'editorial' } };
      components.services = await openModelServices(config, {
        editorial,
        enricher,
        requestModel: model.requestModel,
      });
      return components.services.enricher;
    },
  });
  const { model, services } = components;
  if (!model || !services) throw new Error('the app opens its model and services');
  return { ...app, model, services };
}
