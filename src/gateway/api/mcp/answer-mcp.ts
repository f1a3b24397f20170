// POST /mcp: the gateway's tools for agents. A key has to be in the Authorization header; whether
// it may do what a tool does is judged where that is judged for everybody else.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Fault, messageOf } from '../../../kernel/errors/fault.ts';
import { answerMcp, checkMcpOrigin } from '../../../kernel/mcp/serve-mcp.ts';
import type { GatewayContext } from '../context.ts';
import { type Answer, type Asked, NO_STORE } from '../http-response.ts';
import { makeGatewayServer } from './tools.ts';

type Connection = { readonly req: IncomingMessage; readonly res: ServerResponse };

/** The body is read here: what is no message at all is refused as at any other address. */
export async function answerMcpMessage(
  context: GatewayContext,
  asked: Asked,
  { req, res }: Connection,
): Promise<Answer> {
  if (req.headers.authorization === undefined) {
    const headers = { 'www-authenticate': 'Bearer realm="gateway"' };
    const message = 'An API key is needed here: Authorization: Bearer <key>.';
    throw new Fault('invalid_api_key', message, { headers });
  }
  checkMcpOrigin(req, { urls: () => [context.site.url] });
  const { status, headers, body } = await answerMcp(req, res, {
    makeServer: () => makeGatewayServer(context, asked),
    onError: (error) => context.world.log.debug({ error: messageOf(error) }, 'an MCP message'),
  });
  return { status, headers: { ...headers, 'cache-control': NO_STORE }, body };
}
