// Client of a gateway's capabilities with an API key, and of the account, its calls and its usage.
// Every call by POST has an Idempotency-Key, so a retry is charged only once.
import { type Chat, openChat } from './chat.ts';
import type {
  Account,
  Call,
  CallSearchQuery,
  Calls,
  Catalog,
  ListCallsQuery,
  ModelPrices,
  ModelQuote,
  ModelQuoteRequest,
  ModelReceipt,
  OcrAnswer,
  OcrRequest,
  Platforms,
  ReadUsageQuery,
  SearchAnswer,
  SocialAnswer,
  SocialRequest,
  SvcImageAnswer,
  SvcImageRequest,
  SvcVideoRequest,
  TranscribeAnswer,
  TranscribeRequest,
  Usage,
} from './gateway-answers.ts';
import { type Job, type Jobs, openJobs } from './jobs.ts';
import { addressOf, type ClientOptions, openSender, type Sender } from './send.ts';

export type GatewayOptions = ClientOptions & {
  /** `sk-…` for capabilities; `ak-…` for chat, models and search; `sk-test-…`, `ak-test-…`. */
  readonly apiKey?: string;
  /** Key for chat, models and search, when one program uses both kinds. */
  readonly agentKey?: string;
  /** Address of the chat relay; `baseUrl` by default. */
  readonly relayUrl?: string;
};

export type CallOptions = {
  /**
   * Your own key, to recognise a call after restarts of your program; random by default. A search
   * has no key.
   */
  readonly idempotencyKey?: string;
  /** The call is refused when it would cost more: CNY as text, `0.05`. */
  readonly maxCharge?: string;
  readonly signal?: AbortSignal;
};

/** The response, with the Idempotency-Key of its request. */
export type CallResult<Answer> = Answer & {
  readonly idempotencyKey: string;
  /** The response repeats that of an earlier call with the key; the call was not charged again. */
  readonly isReplay: boolean;
};

/** The response to a call that continues as the job `data`. `gateway.jobs` waits for its end. */
export type StartedJob<Result = unknown> = CallResult<
  Omit<SocialAnswer, 'data'> & { readonly data: Job<Result> }
>;

export type Videos = {
  readonly videos: readonly {
    readonly url: string;
    readonly mime_type: string;
    readonly width: number;
    readonly height: number;
    readonly duration_seconds: number;
  }[];
};

type WithoutMaxCharge<Request> = Request extends unknown ? Omit<Request, 'max_charge'> : never;
type ReadOptions = { readonly signal?: AbortSignal };

export type Gateway = {
  /** One public post by its link, or posts by keyword. */
  social(
    request: WithoutMaxCharge<SocialRequest>,
    options?: CallOptions,
  ): Promise<CallResult<SocialAnswer>>;
  /** The transcript of a video. The call may take minutes. */
  transcribe(
    request: WithoutMaxCharge<TranscribeRequest>,
    options?: CallOptions,
  ): Promise<CallResult<TranscribeAnswer>>;
  ocr(request: WithoutMaxCharge<OcrRequest>, options?: CallOptions): Promise<CallResult<OcrAnswer>>;
  image(
    request: WithoutMaxCharge<SvcImageRequest>,
    options?: CallOptions,
  ): Promise<CallResult<SvcImageAnswer>>;
  /**
   * Starts a job that makes a video. `gateway.jobs.wait(started.data.id)` returns the ended job.
   */
  video(
    request: WithoutMaxCharge<SvcVideoRequest>,
    options?: CallOptions,
  ): Promise<StartedJob<Videos>>;
  /** Any capability, by its id in the catalog. */
  run<Data = unknown>(
    capability: string,
    request: object,
    options?: CallOptions,
  ): Promise<CallResult<Omit<SocialAnswer, 'data'> & { readonly data: Data }>>;
  /** Any capability as a job (`Prefer: respond-async`), by its id in the catalog. */
  begin<Result = unknown>(
    capability: string,
    request: object,
    options?: CallOptions,
  ): Promise<StartedJob<Result>>;
  /** Web search, with an agent key. */
  search(query: CallSearchQuery, options?: CallOptions): Promise<SearchAnswer>;
  readonly chat: Chat;
  readonly jobs: Jobs;
  account(options?: ReadOptions): Promise<Account>;
  /** One call with its response, which is stored for 24 hours. */
  call(requestId: string, options?: ReadOptions): Promise<Call>;
  /** The hold, the charge with its lines, and the attempts of one call of the relay. */
  receipt(requestId: string, options?: ReadOptions): Promise<ModelReceipt>;
  /** The hold for a call of the relay, and its maximum cost. The call is not made. */
  quoteModelCall(request: ModelQuoteRequest, options?: ReadOptions): Promise<ModelQuote>;
  callsPage(query?: ListCallsQuery, options?: ReadOptions): Promise<Calls>;
  /** Newest first, page after page. */
  calls(options?: ReadOptions): AsyncGenerator<Calls['calls'][number], void, undefined>;
  /** Groups usage by day, capability or key. Days are days in Asia/Shanghai, both included. */
  usage(query: ReadUsageQuery, options?: ReadOptions): Promise<Usage>;
  /** Prices of the relay by model and token class. Works without a key. */
  modelPrices(options?: ReadOptions): Promise<ModelPrices>;
  /** Works without a key. */
  catalog(options?: ReadOptions): Promise<Catalog>;
  /** Works without a key. */
  platforms(options?: ReadOptions): Promise<Platforms>;
};

export function createGateway(options: GatewayOptions): Gateway {
  const { baseUrl, apiKey, agentKey = apiKey, relayUrl = baseUrl } = options;
  const sender = openSender(options);
  const keyHeaders = () => bearerHeaders(apiKey ?? agentKey);
  const agentHeaders = () => bearerHeaders(agentKey);
  const read = async <T>(path: string, { signal }: ReadOptions = {}, query: object = {}) => {
    const url = addressOf(baseUrl, path, query as Record<string, string>);
    return (await sender.send({ method: 'GET', url, headers: keyHeaders(), signal })).body as T;
  };
  const methodFor = createMethods(sender, baseUrl, () => bearerHeaders(apiKey));
  const callsPage: Gateway['callsPage'] = (query, readOptions) =>
    read('/api/v1/calls', readOptions, query);
  return {
    social: methodFor('social'),
    transcribe: methodFor('transcribe'),
    ocr: methodFor('ocr'),
    image: methodFor('svc-image'),
    video: methodFor('svc-video'),
    run: (capability, request, callOptions) =>
      methodFor<object, CallResult<Omit<SocialAnswer, 'data'> & { readonly data: never }>>(
        capability,
      )(request, callOptions),
    begin: (capability, request, callOptions) =>
      methodFor<object, StartedJob<never>>(capability, ', respond-async')(request, callOptions),
    search: async ({ ...query }, { maxCharge, signal } = {}) => {
      const parameters = { ...query, max_charge: maxCharge };
      const url = addressOf(baseUrl, '/api/v1/search/engine/search', parameters);
      const request = { method: 'GET', url, headers: agentHeaders(), signal } as const;
      return (await sender.send(request)).body as SearchAnswer;
    },
    chat: openChat({ sender, relayUrl: () => relayUrl, headers: agentHeaders }),
    jobs: openJobs({ sender, baseUrl, headers: keyHeaders }),
    account: (readOptions) => read('/api/v1/account', readOptions),
    call: (requestId, readOptions) =>
      read(`/api/v1/calls/${encodeURIComponent(requestId)}`, readOptions),
    receipt: (requestId, readOptions) =>
      read(`/api/v1/relay/receipts/${encodeURIComponent(requestId)}`, readOptions),
    quoteModelCall: async (body, { signal } = {}) => {
      const url = addressOf(baseUrl, '/api/v1/relay/quote');
      const response = await sender.send({
        method: 'POST',
        url,
        headers: keyHeaders(),
        body,
        signal,
      });
      return response.body as ModelQuote;
    },
    callsPage,
    calls: (readOptions) => eachCall(callsPage, readOptions),
    usage: (query, readOptions) => read('/api/v1/usage', readOptions, query),
    ...openCatalog(sender, baseUrl),
  };
}

function bearerHeaders(key: string | undefined): { readonly authorization: string } {
  if (key === undefined)
    throw new TypeError('This request needs an API key: createGateway({ apiKey }).');
  return { authorization: `Bearer ${key}` };
}

function createMethods(sender: Sender, baseUrl: string, headers: () => { authorization: string }) {
  return <Request extends object, Answer>(capability: string, preference = '') =>
    async (request: Request, callOptions: CallOptions = {}): Promise<Answer> => {
      const { idempotencyKey = sender.runtime.newKey(), maxCharge, signal } = callOptions;
      const { headers: responseHeaders, body } = await sender.send({
        method: 'POST',
        url: addressOf(baseUrl, `/api/v1/capabilities/${capability}`),
        headers: {
          ...headers(),
          'idempotency-key': idempotencyKey,
          prefer: `idempotent-replay${preference}`,
        },
        body: { ...request, ...(maxCharge !== undefined && { max_charge: maxCharge }) },
        signal,
      });
      const isReplay = responseHeaders.get('idempotent-replayed') === 'true';
      return { ...(body as object), idempotencyKey, isReplay } as Answer;
    };
}

/** Requests that work without a key. */
function openCatalog(
  sender: Sender,
  baseUrl: string,
): Pick<Gateway, 'catalog' | 'modelPrices' | 'platforms'> {
  const read = async <T>(path: string, { signal }: ReadOptions = {}) => {
    const url = addressOf(baseUrl, path);
    return (await sender.send({ method: 'GET', url, signal })).body as T;
  };
  return {
    catalog: (readOptions) => read('/api/v1/capabilities/catalog', readOptions),
    modelPrices: (readOptions) => read('/api/v1/relay/prices', readOptions),
    platforms: (readOptions) => read('/api/v1/capabilities/social/platforms', readOptions),
  };
}

async function* eachCall(
  readPage: Gateway['callsPage'],
  readOptions: ReadOptions = {},
): AsyncGenerator<Calls['calls'][number], void, undefined> {
  let cursor: string | null = '';
  while (cursor !== null) {
    const page: Calls = await readPage(cursor === '' ? {} : { cursor }, readOptions);
    yield* page.calls;
    cursor = page.next_cursor;
  }
}
