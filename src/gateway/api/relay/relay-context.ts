// Defines the types of the relay's endpoints: their dependencies, requests and responses.
import type { ClientIdentity } from '../../../kernel/client-address/client-address.ts';
import type { Tally } from '../../../kernel/observability/metrics.ts';
import type { World } from '../../../kernel/world.ts';
import type { Admission, KnownLimits } from '../../calls/admit.ts';
import type { CallDeps } from '../../calls/call.ts';
import type { PriceLists } from '../../calls/price-lists.ts';
import type { Switches } from '../../capabilities/switches.ts';
import type { CallSignals } from '../../relay/attempt.ts';
import type { ApiDialect } from '../../relay/dialects/dialect.ts';
import type { CallServices } from '../../relay/open-call-services.ts';
import type { InputRatios } from '../../relay/prices/input-ratio.ts';
import type { ResponsePrice } from '../../relay/prices/price-call.ts';
import type { StreamClient } from '../../relay/stream/forward-stream.ts';
import type { Upstream } from '../../relay/upstream/upstream.ts';
import type { Upstreams } from '../../relay/upstream/upstreams.ts';
import type { UsageRecorder } from '../../relay/usage-recorder.ts';
import type { Wallet } from '../../wallet/ledger/wallet.ts';
import type { AccountingService } from './call-accounting.ts';

export type RelayContext = {
  readonly world: World;
  readonly admission: Admission;
  readonly wallet: Wallet;
  readonly findResponse: CallDeps['findResponse'];
  readonly switches: Switches;
  readonly upstreams: Upstreams;
  /** The upstream that serves test keys. */
  readonly sandboxOf: (dialect: ApiDialect) => Upstream;
  readonly usage: UsageRecorder;
  readonly accounting: AccountingService;
  /** The price per response, which applies while no model has token prices. */
  readonly price: ResponsePrice;
  readonly prices: Pick<PriceLists, 'models'>;
  readonly ratios: InputRatios;
  readonly shortfalls: ShortfallMetrics;
} & CallServices;

/** Usage above the hold, which the operator bears. Relay contract, 2.3. */
export type ShortfallMetrics = { readonly calls: Tally; readonly fen: Tally };

export type RelayRequest = {
  readonly requestId: string;
  readonly path: string;
  readonly query: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly client: ClientIdentity;
  readonly knownLimits: KnownLimits;
  readonly signals: CallSignals;
  /** Reads a body of at most `maxBytes`; synchronously when the whole body has arrived. */
  readText(maxBytes: number): string | Promise<string>;
  /** Sends the head of a stream with additional fields; the caller writes the body. */
  beginStream(headers: Readonly<Record<string, string>>): ClientStream;
};

export type ClientStream = StreamClient & {
  /** Ends the stream with these bytes. Empty bytes close the connection before the end. */
  end(lastBytes: string | Buffer): void;
};

export type RelayResponse =
  | {
      readonly kind: 'complete';
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      readonly body: string | Buffer;
      /** Work after the response is sent. Never throws. */
      readonly afterResponse?: () => void;
    }
  /** The response was already sent, or the client has disconnected. */
  | { readonly kind: 'sent' };
