// Defines the types of a call from its request to its response, without HTTP or money movements.
import type { World } from '../../kernel/world.ts';
import type { Capability } from '../capabilities/capability.ts';
import type { Switches } from '../capabilities/switches.ts';
import type { Key } from '../keys/key.ts';
import type { InputRatios } from '../relay/prices/input-ratio.ts';
import type { Wallet } from '../wallet/ledger/wallet.ts';
import type { Admission, Credentials } from './admit.ts';
import type { Jobs } from './jobs/jobs.ts';
import type { PriceLists } from './price-lists.ts';
import type { RequestLog } from './request-log.ts';

export type CallRequest = Credentials & {
  /** `req_…`, also in the response header. */
  readonly requestId: string;
  readonly capability: Capability;
  readonly path: string;
  /** The raw query without its question mark. */
  readonly query: string;
  /** Raw values of the headers `Idempotency-Key` and `Prefer`. */
  readonly idempotencyKey: string | undefined;
  readonly prefer: string | undefined;
  /** The parsed body of a POST or the parameters of a GET; throws Faults about size and form. */
  readInput(): Promise<unknown>;
};

export type CallResponse = {
  readonly status: number;
  readonly contentType: string;
  readonly body: Buffer;
  /** True: the stored response of an earlier call, byte for byte. */
  readonly isReplay: boolean;
  /** The address of the job. */
  readonly location?: string;
};

export type StoredCallResponse = {
  readonly status: number;
  readonly contentType: string;
  readonly body: Buffer;
  readonly location?: string;
};

export type CallDeps = {
  readonly world: World;
  readonly admission: Admission;
  readonly wallet: Wallet;
  readonly jobs: Jobs;
  readonly prices: PriceLists;
  readonly switches: Switches;
  /** Shared by calls of the relay and their quotes. */
  readonly ratios: InputRatios;
  /** Log of requests for the account's pages; absent: nothing is logged. */
  readonly requestLog?: RequestLog;
  /** Whether the operators' cap prevented the account's allowance today. */
  isAllowanceCapped(accountId: string): Promise<boolean>;
  /** Called when a key's budget does not cover a call. */
  onBudgetRefused?(key: Pick<Key, 'id' | 'accountId' | 'livemode'>): void;
  /** The response of a finished call during its retention (24 h); null afterwards. */
  findResponse(call: {
    readonly accountId: string;
    readonly livemode: boolean;
    readonly requestId: string;
  }): Promise<StoredCallResponse | null>;
};

/** The path at which an account reads its call. */
export const callPath = (requestId: string) => `/api/v1/calls/${requestId}`;
