// Types of a call from request to response, without HTTP or money movements.
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
  /** `req_…`, also in the answer's header. */
  readonly requestId: string;
  readonly capability: Capability;
  readonly path: string;
  /** As it came, without the question mark. */
  readonly query: string;
  /** Headers, as they came. */
  readonly idempotencyKey: string | undefined;
  readonly prefer: string | undefined;
  /** The parsed body of a POST, the parameters of a GET; throws Faults about its size and form. */
  readInput(): Promise<unknown>;
};

export type CallAnswer = {
  readonly status: number;
  readonly contentType: string;
  readonly body: Buffer;
  /** The answer of an earlier call, byte for byte. */
  readonly isReplay: boolean;
  /** Of a job: where it is read. */
  readonly location?: string;
};

export type StoredAnswer = {
  readonly status: number;
  readonly contentType: string;
  readonly body: Buffer;
  readonly location?: string;
};

export type CallParts = {
  readonly world: World;
  readonly admission: Admission;
  readonly wallet: Wallet;
  readonly jobs: Jobs;
  readonly prices: PriceLists;
  readonly switches: Switches;
  /** Shared by calls of the relay and their quotes. */
  readonly ratios: InputRatios;
  /** Of requests, for the accounts' own pages; absent: nothing is logged. */
  readonly requestLog?: RequestLog;
  /** Whether an account was given no allowance today because the operators' cap was reached. */
  isAllowanceCapped(accountId: string): Promise<boolean>;
  /** A call was refused because its key's budget does not cover it. */
  onBudgetRefused?(key: Pick<Key, 'id' | 'accountId' | 'livemode'>): void;
  /** The answer of a finished call while it is kept (24 h); null afterwards. */
  findAnswer(call: {
    readonly accountId: string;
    readonly livemode: boolean;
    readonly requestId: string;
  }): Promise<StoredAnswer | null>;
};

/** Where a call can be read by its account. */
export const callPath = (requestId: string) => `/api/v1/calls/${requestId}`;
