// Completes the configuration of a process with the settings of the setup page. The environment and
// radar.config.json take precedence.
import { join } from 'node:path';
import type { Config } from '../config.ts';
import type { SetupSettings } from '../operators/setup-settings.ts';

export function applySettings(config: Config, settings: SetupSettings): Config {
  const { language, name, zone, editorial = '.', model } = settings;
  const { isFixed } = config;
  return {
    ...config,
    language: isFixed.language ? config.language : (language ?? config.language),
    zone: zone ?? config.zone,
    model:
      isFixed.model || model === undefined
        ? config.model
        : {
            url: model.url.replace(/\/+$/, ''),
            key: model.key,
            name: model.name,
            embeddingModel: null,
            file: config.file.model,
          },
    file: {
      ...config.file,
      name: isFixed.name ? config.file.name : (name ?? config.file.name),
      editorial: isFixed.editorial ? config.file.editorial : join(config.file.editorial, editorial),
    },
  };
}
