// Every capability of this installation, in the order of the catalog.
import type { World } from '../../kernel/world.ts';
import type { Capability } from './capability.ts';
import type { MediaStore } from './media/media-store.ts';
import { openOcr } from './ocr/ocr.ts';
import type { ProvidersConfig } from './providers-config.ts';
import { openSocial } from './social/social.ts';

/** Opens nothing that has to be closed; `config` is the `providers` section. */
export function openCapabilities(
  world: World,
  config: ProvidersConfig,
  _media: MediaStore,
): readonly Capability[] {
  return [openSocial(world, config), openOcr(world, config.ocr)];
}
