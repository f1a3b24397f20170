// Defines the type of the dependencies of all endpoints of the gateway.
import type { Db } from '../../kernel/ports/db.ts';
import type { World } from '../../kernel/world.ts';
import type { Admission, LimitSettings } from '../calls/admit.ts';
import type { CallDeps } from '../calls/call.ts';
import type { CapabilityStatus } from '../calls/catalog.ts';
import type { Capability } from '../capabilities/capability.ts';
import type { MediaStore } from '../capabilities/media/media-store.ts';
import type { ResponsePrice } from '../relay/prices/price-call.ts';
import type { ModelRouteConfig } from '../relay/relay-config.ts';
import type { TopUps } from '../wallet/top-ups/open-top-ups.ts';

export type GatewayContext = {
  readonly world: World;
  readonly db: Db;
  readonly site: {
    readonly url: string;
    readonly name: string;
    /** Addresses of the radar and the relay; absent when unknown. */
    readonly radarUrl?: string;
    readonly relayUrl?: string;
  };
  readonly admission: Admission;
  readonly calls: CallDeps;
  readonly capabilities: readonly Capability[];
  readonly media: MediaStore;
  readonly limits: LimitSettings;
  readonly topUps: TopUps;
  /** Configuration of the relay: its models, and the price of a response. */
  readonly relay: { routeOf(model: string): ModelRouteConfig; readonly price: ResponsePrice };
  /** Status of the chat relay, which has its own port; absent without a relay. */
  readonly chat?: CapabilityStatus;
};
