// Opens all capabilities of this installation, in the order of the catalog.

import type { Capability } from './capability.ts';
import { openSvcImage } from './image/svc-image.ts';
import type { MediaStore } from './media/media-store.ts';
import { openOcr } from './ocr/ocr.ts';
import type { ProvidersConfig } from './providers-config.ts';
import { openSearch } from './search/search.ts';
import { openSocial } from './social/social.ts';
import type { ProviderWorld } from './switches.ts';
import { openTranscribe } from './transcribe/transcribe.ts';
import { openSvcVideo, openVideo } from './video/svc-video.ts';

export type CapabilityOptions = {
  /**
   * The address of this installation's radar, which is searched when no engine is configured. It is
   * read at each use; null: there is no radar. `privateHosts` must allow its loopback address.
   */
  readonly radarUrl?: () => string | null;
};

/** The capabilities need no closing. `config` is the `providers` section. */
export function openCapabilities(
  world: ProviderWorld,
  config: ProvidersConfig,
  media: MediaStore,
  { radarUrl = () => null }: CapabilityOptions = {},
): readonly Capability[] {
  return [
    openSocial(world, config),
    openTranscribe(world, config),
    openSvcImage(world, config.image, media),
    openOcr(world, config.ocr),
    openSvcVideo(openVideo(world, config.video), media),
    openSearch(world, config.search, radarUrl),
  ];
}
