// The network, as the World gives it: one request with its limits, one outcome as a value.
// The guards behind it (addresses, redirects, sizes, politeness) are in this folder.

export type NetRequest = {
  readonly url: string;
  /** GET when absent. */
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Lower-case names. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** For the whole exchange, redirects and body included; waiting for a host's turn is not. */
  readonly timeoutMs: number;
  /** Of the decoded body. The bytes on the wire have the same cap. */
  readonly maxBytes: number;
  /** 5 when absent; 0 hands a redirect back as the response. */
  readonly maxRedirects?: number;
  /** Least time between the last request's start at this host and this one's; else the default. */
  readonly gapMs?: number;
  /** False for a provider that expects many requests: no queue and no gap. True when absent. */
  readonly isPolite?: boolean;
  /**
   * Private or loopback addresses this one request may reach, as `host` or `host:port`; besides
   * the configured ones. A redirect elsewhere is refused all the same.
   */
  readonly privateHosts?: readonly string[];
  /** A configured proxy by its name, or `none`; the default proxy when absent. */
  readonly proxy?: string;
  readonly signal?: AbortSignal;
};

export type NetRedirect = { readonly from: string; readonly to: string; readonly status: number };

export type NetResponse = {
  readonly kind: 'response';
  readonly status: number;
  /** Lower-case names; repeated fields joined by ", ". */
  readonly headers: Readonly<Record<string, string>>;
  /** Content codings undone. */
  readonly body: Uint8Array;
  /** Bytes of the body as they came over the wire. */
  readonly wireBytes: number;
  /** Where the answer came from, after redirects. */
  readonly url: string;
  readonly redirects: readonly NetRedirect[];
  /** Of the exchanges, without the waiting for turns. */
  readonly durationMs: number;
};

export type NetFailure = {
  readonly kind: 'failed';
  readonly reason:
    | 'invalid_url'
    | 'address_refused'
    | 'dns'
    | 'connect'
    | 'tls'
    | 'timeout'
    | 'too_large'
    | 'redirects'
    | 'protocol'
    | 'aborted';
  /** One line for an operator: what was tried and what happened. */
  readonly message: string;
  readonly durationMs: number;
};

export type NetOutcome = NetResponse | NetFailure;

export type Net = {
  request(request: NetRequest): Promise<NetOutcome>;
  /** Lets go of sockets; later requests fail as aborted. */
  close(): Promise<void>;
};
