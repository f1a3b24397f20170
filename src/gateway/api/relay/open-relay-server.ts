// Opens the relay's HTTP server on its own port. On shutdown it accepts no new calls, lets streams
// continue for a limited time, and then ends them.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CancelToken } from '../../../kernel/concurrency/cancel-token.ts';
import { Fault } from '../../../kernel/errors/fault.ts';
import { limitConnections } from '../../../kernel/http/limit-connections.ts';
import { stopListening } from '../../../kernel/http/stop-listening.ts';
import { createHttpServer, type HttpServerOptions, refuseUnparsedCall } from '../http-server.ts';
import { handleRelayRequest, type RelayHandler } from './handle-request.ts';
import type { RelayContext } from './relay-context.ts';
import { relayErrorOf } from './relay-error.ts';

export type RelayServer = {
  readonly port: number;
  /** Refuses new connections. */
  stopListening(): Promise<void>;
  close(): Promise<void>;
};

/** Time for streams to finish on shutdown; a process has ten seconds in total. */
const STREAM_GRACE_MS = 7_000;
const CLOSE_GRACE_MS = 1_000;
/** Time limit for a request's headers and body. A body of 8 MiB then requires 1.2 Mbit/s. */
const REQUEST_TIMEOUT_MS = 55_000;

export async function openRelayServer(
  deps: Omit<RelayContext, 'shortfalls'>,
  options: HttpServerOptions,
): Promise<RelayServer> {
  const { metrics } = options;
  const shortfallOf = (name: string, help: string) => metrics.counter(name, help, []).of();
  const context = {
    ...deps,
    shortfalls: {
      calls: shortfallOf(
        'relay_shortfall_calls_total',
        'Relay calls that cost more than their hold.',
      ),
      fen: shortfallOf('relay_shortfall_fen_total', 'Cost above the holds of relay calls, in fen.'),
    },
  };
  const stopping = new CancelToken<'stopping'>();
  const handler: RelayHandler = {
    context,
    stopping,
    isStopping: false,
    operator: options.operator,
    clients: options.clients,
    requests: metrics.counter(
      'relay_http_requests_total',
      'Responses of the chat relay by address and status.',
      ['route', 'status'],
    ),
  };
  const runningRequests = new Map<Promise<void>, ServerResponse>();
  metrics.gauge({
    name: 'relay_running',
    help: 'Running requests of the chat relay.',
    read: () => [{ value: runningRequests.size }],
  });
  const requestListener = (req: IncomingMessage, res: ServerResponse) => {
    const pendingRequest = handleRelayRequest(handler, req, res).finally(() =>
      runningRequests.delete(pendingRequest),
    );
    runningRequests.set(pendingRequest, res);
  };
  const server = createHttpServer(REQUEST_TIMEOUT_MS, requestListener);
  limitConnections(server, options.clients);
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const hasStarted = (res: ServerResponse) => res.headersSent && res.req.socket === socket;
    // An error written into a running response would corrupt it.
    if (runningRequests.values().some(hasStarted)) socket.destroy();
    else {
      const isTooLarge = error.code === 'HPE_HEADER_OVERFLOW';
      refuseUnparsedCall(context.world, { error, socket }, (fault, received) =>
        relayErrorOf(context.world, isTooLarge ? headersTooLarge() : fault, received),
      );
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    stopListening: () => stopListening(server),
    close: async () => {
      handler.isStopping = true;
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeIdleConnections();
      await endStreams(context, runningRequests, stopping);
      server.closeAllConnections();
      await closed;
      await context.accounting.idle();
      await context.usage.flush();
    },
  };
}

const headersTooLarge = () =>
  new Fault(
    'headers_too_large',
    'The request line and its headers are over 16 KiB. Send fewer or shorter headers.',
  );

async function endStreams(
  { world }: RelayContext,
  running: ReadonlyMap<Promise<void>, unknown>,
  stopping: CancelToken<'stopping'>,
): Promise<void> {
  const timers = new AbortController();
  const wait = (ms: number) => world.clock.sleep(ms, timers.signal);
  const graceEnd = wait(STREAM_GRACE_MS).then(() => {
    stopping.cancel('stopping');
    // Connected clients receive an error within this time. Then the server closes their
    // connections.
    return wait(CLOSE_GRACE_MS);
  });
  const allFinished = (async () => {
    while (running.size > 0) await Promise.allSettled(running.keys());
  })();
  await Promise.race([allFinished, graceEnd.catch(() => {})]);
  timers.abort();
}
