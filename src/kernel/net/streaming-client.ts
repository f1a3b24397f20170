// One HTTP request with a streamed response, for the chat relay. The client follows no redirect and
// connects only to addresses that the operator configured. Therefore it does not need the guards of
// `net.ts`. See docs/decisions/0017 for the choice of client.
import { urlToHttpOptions } from 'node:url';
import type { CancelToken } from '../concurrency/cancel-token.ts';
import type { TlsTickets } from './http1/connection.ts';
import { type Connections, openConnections } from './http1/connections.ts';
import { HttpExchange, type RawHttpResponse } from './http1/exchange.ts';

export type StreamedResponse = RawHttpResponse;

export type RequestTarget = {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly headers: HeaderFields;
};

type HeaderFields = Readonly<Record<string, string>>;

export type StreamingClient = {
  /**
   * `cancelToken` cancels the exchange at any stage, also during the response. `fields` are headers
   * of only this request.
   */
  prepare(body: string | null, cancelToken: CancelToken, fields?: HeaderFields): ReadyRequest;
};

/** A connection exists or is being opened; nothing has been sent. */
export type ReadyRequest = {
  /**
   * Rejects when no response begins, because the connection was refused, reset or cancelled. The
   * caller must call `send` or cancel the request.
   */
  send(): Promise<StreamedResponse>;
};

export type StreamingClients = {
  /** Returns the client of an address. Throws an Error for header fields that cannot be sent. */
  clientFor(address: RequestTarget): StreamingClient;
  /** Closes idle connections; others close after their exchanges. */
  close(): void;
};

/** Keeps connections open for later requests, as many as were concurrent. */
export function openStreamingClients(): StreamingClients {
  const connectionsByOrigin = new Map<string, Connections>();
  const tickets: TlsTickets = new Map();
  const connectionsTo = ({ protocol, hostname, port, origin }: URL) => {
    const isSecure = protocol === 'https:';
    const host = hostname.replace(/^\[(.*)\]$/, '$1');
    const target = { isSecure, hostname: host, port: Number(port || (isSecure ? 443 : 80)) };
    const connections = connectionsByOrigin.get(origin) ?? openConnections(target, tickets);
    connectionsByOrigin.set(origin, connections);
    return connections;
  };
  return {
    clientFor: (address) => {
      const connections = connectionsTo(new URL(address.url));
      const head = formatHead(address);
      return {
        prepare: (body, cancelToken, fields) =>
          makeReadyRequest(
            connections,
            fields ? head + formatFields(fields) : head,
            body,
            cancelToken,
          ),
      };
    },
    close: () => {
      for (const connections of connectionsByOrigin.values()) connections.close();
    },
  };
}

function makeReadyRequest(
  connections: Connections,
  head: string,
  body: string | null,
  cancelToken: CancelToken,
): ReadyRequest {
  const firstExchange = new HttpExchange(connections, connections.acquire(), cancelToken);
  const byteCount = body === null ? 0 : Buffer.byteLength(body);
  const lengthField = body === null ? '' : `content-length: ${byteCount}\r\n`;
  // ASCII text is written as latin1, which needs no conversion.
  const encoding = byteCount === (body?.length ?? 0) ? 'latin1' : 'utf8';
  let pendingText: string | null = `${head}${lengthField}\r\n${body ?? ''}`;
  return {
    send: async () => {
      let response = await firstExchange.send(pendingText ?? '', encoding);
      // The request is retried at most once, on a new connection. A second idle connection may be
      // stale too, and a request that crashes its server must not be repeated often.
      while (response === 'stale') {
        const newExchange = new HttpExchange(connections, connections.open(), cancelToken);
        response = await newExchange.send(pendingText ?? '', encoding);
      }
      // Releases the request text, because the response may last for half an hour.
      pendingText = null;
      return response;
    },
  };
}

/** The constant part of the head. */
function formatHead({ url, method, headers }: RequestTarget): string {
  const { host } = new URL(url);
  const { path, auth } = urlToHttpOptions(new URL(url));
  const fields: Record<string, string> = { host, connection: 'keep-alive', ...headers };
  if (auth && headers.authorization === undefined) {
    fields.authorization = `Basic ${Buffer.from(auth).toString('base64')}`;
  }
  return `${method} ${path} HTTP/1.1\r\n${formatFields(fields)}`;
}

/** Throws an Error for fields that cannot be sent. */
function formatFields(fields: HeaderFields): string {
  const lines = Object.entries(fields).map(([name, value]) => {
    // RFC 9110, 5.1 and 5.5: ASCII without line ends, which would begin another field.
    if (/^[\w!#$%&'*+\-.^`|~]+$/.test(name) && /^[\t\x20-\x7e]*$/.test(value)) {
      return `${name}: ${value}\r\n`;
    }
    throw new Error(`the header field ${name} cannot be sent`);
  });
  return lines.join('');
}
