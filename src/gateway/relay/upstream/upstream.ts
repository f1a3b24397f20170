// The interface of upstreams: a server over HTTP, or the sandbox.

import type { CancelToken } from '../../../kernel/concurrency/cancel-token.ts';
import type { ReadyRequest } from '../../../kernel/net/streaming-client.ts';
import type { Deadlines } from '../../../kernel/time/deadlines.ts';
import type { UpstreamConfig } from '../relay-config.ts';
import type { UpstreamHealth } from './upstream-health.ts';

/** An entry of a list of models. */
export type ListedModelInfo = {
  readonly id: string;
  readonly object: 'model';
  /** Epoch seconds. */
  readonly created: number;
  readonly owned_by: string;
};

export type UpstreamRules = Omit<UpstreamConfig, 'url' | 'key' | 'models'>;

export type Upstream = {
  readonly rules: UpstreamRules;
  readonly health: UpstreamHealth;
  /** Shared by all calls of the upstream. */
  readonly deadlines: Deadlines;
  /** The upstream's id of a model; null: the upstream's list lacks the model. */
  modelFor(model: string): string | null;
  /** Opens the connection. The returned request is sent later. */
  prepare(
    body: string,
    cancelToken: CancelToken,
    fields?: Readonly<Record<string, string>>,
  ): ReadyRequest;
  /** Counts the tokens of a conversation; null: upstreams of this kind do not count. */
  readonly countTokens: Upstream['prepare'] | null;
};
