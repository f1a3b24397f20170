// Every capability of this installation, in the order of the catalog.
import type { World } from '../../kernel/world.ts';
import type { Capability } from './capability.ts';
import type { MediaStore } from './media/media-store.ts';
import type { ProvidersConfig } from './providers-config.ts';

/** Opens nothing that has to be closed; `config` is the `providers` section. */
export function openCapabilities(
  _world: World,
  _config: ProvidersConfig,
  _media: MediaStore,
): readonly Capability[] {
  return [];
}
