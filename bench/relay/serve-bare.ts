// A proxy that only forwards, without keys, parsing and records. It has the same connections and
// hops as the relay, so its latency is the minimum of any relay in Node.
import { Agent, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

const [, , upstreamUrl = ''] = process.argv;
const agent = new Agent({ keepAlive: true });

const server = createServer((req, res) => {
  const { authorization: _, host: _host, ...headers } = req.headers;
  const upstreamRequest = request(`${upstreamUrl}${req.url ?? ''}`, {
    agent,
    method: 'POST',
    headers,
  });
  upstreamRequest.on('response', (response) => {
    res.writeHead(response.statusCode ?? 502, response.headers);
    response.pipe(res);
  });
  req.pipe(upstreamRequest);
});
server.listen(0, '127.0.0.1', () => {
  process.send?.({
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/chat/completions`,
    key: 'none',
  });
});
process.on('message', (message) => {
  if (message === 'cpu') process.send?.(process.cpuUsage());
  if (message === 'stop') process.exit(0);
});
process.on('disconnect', () => process.exit(0));
