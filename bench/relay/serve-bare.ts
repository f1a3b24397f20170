// A proxy that only forwards: the minimum latency of any relay in Node. It has the same connections
// and hops as the relay, but no key, no parsing and no record.
import { Agent, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

const [, , upstreamUrl = ''] = process.argv;
const agent = new Agent({ keepAlive: true });

const server = createServer((req, res) => {
  const { authorization: _, host: _host, ...headers } = req.headers;
  const there = request(`${upstreamUrl}/chat/completions`, { agent, method: 'POST', headers });
  there.on('response', (answer) => {
    res.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(res);
  });
  req.pipe(there);
});
server.listen(0, '127.0.0.1', () => {
  process.send?.({
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    key: 'none',
  });
});
process.on('message', (what) => {
  if (what === 'cpu') process.send?.(process.cpuUsage());
  if (what === 'stop') process.exit(0);
});
