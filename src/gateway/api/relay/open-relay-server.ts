// The relay's HTTP server, on a port of its own: `relay-exchange.ts` does the rest. It ends in
// order: nothing new is begun, streams have a while to end by themselves, then they are ended.
import { createServer, type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { readNetworks } from '../../../kernel/client/networks.ts';
import { Fault } from '../../../kernel/fault.ts';
import type { Metrics } from '../../../kernel/metrics.ts';
import { corsHeaders } from '../headers.ts';
import type { OperatorAnswers } from '../operator.ts';
import type { RelayContext } from './relay-context.ts';
import { relayErrorOf } from './relay-error.ts';
import { type RelayDoor, relayExchange } from './relay-exchange.ts';

export type RelayServerOptions = {
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  readonly trustProxy: readonly string[];
  readonly metrics: Metrics;
  readonly operator: OperatorAnswers;
};

export type RelayServer = {
  readonly port: number;
  close(): Promise<void>;
};

/** What streams have to end by themselves; a process has ten seconds in all. */
const GRACE_MS = 7_000;
const LAST_WORDS_MS = 1_000;
/** For a request's headers and its body, which may have 8 MiB. */
const REQUEST_MS = 120_000;

export async function openRelayServer(
  context: RelayContext,
  options: RelayServerOptions,
): Promise<RelayServer> {
  const { metrics } = options;
  const stopping = new AbortController();
  const door: RelayDoor = {
    ...{ context, stopping, isStopping: false, operator: options.operator },
    trusted: readNetworks(options.trustProxy, 'TRUST_PROXY'),
    requests: metrics.counter(
      'relay_http_requests_total',
      'Answers of the chat relay by address and status.',
      ['route', 'status'],
    ),
  };
  const running = new Set<Promise<void>>();
  metrics.gauge({
    name: 'relay_running',
    help: 'Requests of the chat relay that are being answered.',
    read: () => [{ value: running.size }],
  });
  const listener = (req: IncomingMessage, res: ServerResponse) => {
    const ended = relayExchange(door, req, res).finally(() => running.delete(ended));
    running.add(ended);
  };
  const server = createServer(
    { keepAliveTimeout: 65_000, requestTimeout: REQUEST_MS, requireHostHeader: false },
    listener,
  );
  server.on('checkContinue', listener);
  server.on('checkExpectation', listener);
  server.on('clientError', (error: NodeJS.ErrnoException, socket) =>
    refuseUnparsed(context, error, socket),
  );
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      door.isStopping = true;
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeIdleConnections();
      await endStreams(context, running, stopping);
      server.closeAllConnections();
      await closed;
      await context.billing.idle();
      await context.usage.flush();
    },
  };
}

async function endStreams(
  { world }: RelayContext,
  running: ReadonlySet<Promise<void>>,
  stopping: AbortController,
): Promise<void> {
  const done = new AbortController();
  const wait = (ms: number) => world.clock.sleep(ms, done.signal);
  const tooLate = wait(GRACE_MS).then(() => {
    stopping.abort();
    // Told to clients that still read; one that does not has no more to wait for.
    return wait(LAST_WORDS_MS);
  });
  const over = (async () => {
    while (running.size > 0) await Promise.allSettled(running);
  })();
  await Promise.race([over, tooLate.catch(() => {})]);
  done.abort();
}

/** Of a client that has left, or of a body that nobody reads. */
const untold = new Set(['ECONNRESET', 'EPIPE', 'HPE_CLOSED_CONNECTION', 'HPE_INVALID_EOF_STATE']);

/** What arrives and is no request that Node can parse: one error, then the connection ends. */
function refuseUnparsed(
  { world }: RelayContext,
  error: NodeJS.ErrnoException,
  socket: Duplex,
): void {
  if (!socket.writable || untold.has(error.code ?? '')) {
    socket.destroy();
    return;
  }
  const requestId = `req_${world.ids.next()}`;
  const fault = new Fault('invalid_request', 'This is not an HTTP request that can be read.');
  const { status, headers, body } = relayErrorOf(world, fault, {
    ...{ requestId, method: 'GET', url: '/' },
  });
  const lines = Object.entries({
    ...{ ...corsHeaders, ...headers, 'x-request-id': requestId, connection: 'close' },
    'content-length': String(Buffer.byteLength(body)),
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.on('error', () => socket.destroy());
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
}
