// Defines settings for the demonstration's model server: invented prices, so that costs are
// visible, and a daily budget above the demonstration's use.
import { type ModelSettings, modelSchema } from '../../../src/radar/model/model-config.ts';
import { type ModelServer, modelKey } from './open-model-server.ts';

export function demoModelSettings({ url }: Pick<ModelServer, 'url'>): ModelSettings {
  const modelWithPrice = (input: string, output: string) => ({
    price: { input, output },
    budget: { day: { cost: '200' } },
    concurrency: 16,
  });
  const file = modelSchema.parse({
    models: {
      'demo-editor': modelWithPrice('2', '8'),
      'demo-editor-small': modelWithPrice('0.3', '0.6'),
      'demo-vectors': modelWithPrice('0.5', '0'),
    },
    steps: { prefilter: 'demo-editor-small' },
  });
  return { url, key: modelKey, name: 'demo-editor', embeddingModel: 'demo-vectors', file };
}
