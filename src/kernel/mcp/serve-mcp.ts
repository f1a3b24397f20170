// The Model Context Protocol over HTTP without any state: each POST is answered by one JSON body,
// in today's revision and in those of 2025, and there are no streams. Which tools there are is the
// caller's business.
import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  createMcpHandler,
  isLegacyRequest,
  type McpServer,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { Fault } from '../errors/fault.ts';
import { readJsonBody } from '../http/read-json-body.ts';

export type McpServing = {
  /** A server with its tools: one for every request. */
  readonly makeServer: (req: IncomingMessage) => McpServer;
  readonly onError: (error: unknown) => void;
  /**
   * Told how many messages came in one body, before any is answered; a Fault refuses them all. The
   * revision of March 2025 has batches: without this, one request of a hundred is let in as one.
   */
  readonly admit?: (count: number) => void;
};

export type McpAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

const BODY = {
  maxBytes: 256 * 1024,
  tooLarge: 'A message may have at most 256 KiB.',
};

/** What a browser's preflight is told besides the caller's own CORS headers. */
export const mcpRequestHeaders =
  'Accept, Content-Type, User-Agent, Authorization, Mcp-Protocol-Version, Mcp-Method, Mcp-Name';

/** Throws a Fault for what is no message at all; a message is answered in the protocol's words. */
export async function answerMcp(
  req: IncomingMessage,
  res: ServerResponse,
  { makeServer, onError, admit }: McpServing,
): Promise<McpAnswer> {
  const invite = () => (req.headers.expect === undefined ? undefined : res.writeContinue());
  const message = await readJsonBody(req, BODY, invite);
  if (Array.isArray(message)) admit?.(message.length);
  if (wantsStream(message)) return noStreams(message);
  const request = asWebRequest(req);
  const isLegacy = await isLegacyRequest(request, message);
  const response = isLegacy
    ? await answerLegacy(makeServer(req), request, message)
    : await createMcpHandler(() => makeServer(req), {
        responseMode: 'json',
        onerror: onError,
      }).fetch(request, { parsedBody: message });
  const body = await response.text();
  const type = response.headers.get('content-type');
  return {
    status: response.status,
    headers: { ...(type !== null && { 'content-type': type }) },
    body,
  };
}

async function answerLegacy(
  server: McpServer,
  request: Request,
  message: unknown,
): Promise<Response> {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  try {
    await server.connect(transport);
    return await transport.handleRequest(request, { parsedBody: message });
  } finally {
    await server.close();
  }
}

/** Subscriptions are answered by streams, and there are none here. */
function wantsStream(message: unknown): message is { readonly id?: unknown } {
  return (
    typeof message === 'object' &&
    message !== null &&
    'method' in message &&
    message.method === 'subscriptions/listen'
  );
}

function noStreams({ id = null }: { readonly id?: unknown }): McpAnswer {
  const error = { code: -32601, message: 'There are no streams here: poll instead.' };
  return {
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id, error }),
  };
}

/** Both forms are always accepted: the protocol asks clients to say so, and some forget. */
function asWebRequest(req: IncomingMessage): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(req.headers)) {
    if (typeof value === 'string' && !name.startsWith(':')) headers.set(name, value);
  }
  headers.set('accept', 'application/json, text/event-stream');
  headers.delete('content-length');
  return new Request(`http://mcp.invalid${req.url ?? '/'}`, { method: 'POST', headers });
}

export type McpHosts = {
  /** Public addresses of this service, read at each request. */
  readonly urls: () => readonly string[];
};

/**
 * Against DNS rebinding: the host asked for must be one of ours, loopback, or an address as such;
 * and a page of another origin may only ask a service that is public anyway.
 */
export function checkMcpOrigin(req: IncomingMessage, { urls }: McpHosts): void {
  const own = urls().map((url) => new URL(url).hostname);
  const host = hostnameOf(`http://${req.headers.host ?? ''}`);
  if (host === null || !(own.includes(host) || isLoopback(host) || isAddress(host))) {
    throw new Fault('forbidden', 'This service does not answer to that host name.');
  }
  const { origin } = req.headers;
  if (origin === undefined) return;
  const from = hostnameOf(origin);
  const isPublic = own.some((name) => !isLoopback(name));
  if (from !== null && (isPublic || own.includes(from) || isLoopback(from))) return;
  throw new Fault('forbidden', 'Pages of that origin may not ask this service.');
}

const isLoopback = (host: string) =>
  host === 'localhost' || host === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(host);

/** A name can be pointed anywhere by its owner; an address cannot. */
const isAddress = (host: string) => host.startsWith('[') || /^\d+\.\d+\.\d+\.\d+$/.test(host);

const hostnameOf = (url: string): string | null =>
  URL.canParse(url) ? new URL(url).hostname : null;
