// The network interface of the World: a request with its limits, and its outcome as a value. The
// guards (addresses, redirects, sizes, politeness) are in this folder.

export type NetRequest = {
  readonly url: string;
  /** GET when absent. */
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Lower-case names. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /**
   * Limits the whole exchange with its redirects and body. The wait in the host's queue is not
   * included.
   */
  readonly timeoutMs: number;
  /** Limits the decoded body, and also the bytes on the wire. */
  readonly maxBytes: number;
  /** 5 when absent; 0 returns a redirect as the response. */
  readonly maxRedirects?: number;
  /** Minimum time between two request starts at this host; the configured gap when absent. */
  readonly gapMs?: number;
  /**
   * False: the request skips the host's queue and gap, for providers that expect many requests.
   * True when absent.
   */
  readonly isPolite?: boolean;
  /**
   * Private or loopback addresses that this request may reach besides the configured hosts, as
   * `host` or `host:port`. A redirect to another private address is refused.
   */
  readonly privateHosts?: readonly string[];
  /** The name of a configured proxy, or `none`; the default proxy when absent. */
  readonly proxy?: string;
  readonly signal?: AbortSignal;
};

export type NetRedirect = { readonly from: string; readonly to: string; readonly status: number };

export type NetResponse = {
  readonly kind: 'response';
  readonly status: number;
  /** Lower-case names; repeated fields joined by ", ". */
  readonly headers: Readonly<Record<string, string>>;
  /** The body after its content codings were removed. */
  readonly body: Uint8Array;
  /** Size of the body as received, before decoding. */
  readonly wireBytes: number;
  /** The address of the response, after redirects. */
  readonly url: string;
  readonly redirects: readonly NetRedirect[];
  /** Duration of the exchanges, without the wait in the queue. */
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
  /** One line for an operator: the attempt and its failure. */
  readonly message: string;
  readonly durationMs: number;
};

export type NetOutcome = NetResponse | NetFailure;

export type Net = {
  request(request: NetRequest): Promise<NetOutcome>;
  /** Closes the sockets; later requests fail as aborted. */
  close(): Promise<void>;
};
