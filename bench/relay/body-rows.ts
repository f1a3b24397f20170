// Measures requests of 560 KB, the reported median of Codex. The relay reads such a body once and
// copies parts of its text. One row compares this with a parse and a serialization. The other rows
// time whole calls.
import { responsesDialect } from '../../src/gateway/relay/dialects/responses.ts';
import { type BenchRow, median } from '../row.ts';
import {
  buildOverheadRows,
  measureBlock,
  measureInTurns,
  type Target,
  targetAt,
  withRelayAndProxy,
} from './targets.ts';

const BODY_BYTES = 560_000;
const ROUNDS = 200;
const CALLS = 150;
const WARM_UP = 30;

/**
 * A conversation of an agent with long tool results, which contain line ends and quotation marks.
 */
function makeLargeBody(): object {
  const line = '  const message = "The file was read: \\"src/main.ts\\"";\n';
  const input: object[] = [];
  for (let bytes = 0, index = 0; bytes < BODY_BYTES; index += 1) {
    const call_id = `call_${index}`;
    const item = { type: 'function_call_output', call_id, output: line.repeat(40) };
    input.push(
      { type: 'function_call', call_id, name: 'read', arguments: `{"path":"src/${index}.ts"}` },
      item,
    );
    bytes += JSON.stringify(item).length + 90;
  }
  const tools = Array.from({ length: 20 }, (_, index) => ({
    type: 'function',
    name: `tool_${index}`,
    parameters: { type: 'object', properties: { path: { type: 'string' } } },
  }));
  return { model: 'bench', instructions: line.repeat(100), tools, input, store: false };
}

export async function benchLargeBodies(url: string, direct: Target): Promise<BenchRow[]> {
  const body = makeLargeBody();
  const times = await withRelayAndProxy(url, 'free', async (relay, bareProxy) => {
    const targets = {
      direct: targetAt(direct, 'responses', body),
      bareProxy: targetAt(bareProxy.target, 'responses', body),
      relay: targetAt(relay.target, 'responses', body),
    };
    await measureInTurns(targets, WARM_UP, measureBlock(1));
    return measureInTurns(targets, CALLS, measureBlock(1));
  });
  return [
    benchCopiedSpans(body),
    ...buildOverheadRows('a body of 560 KB: added to a complete response, p50', times),
  ];
}

/** Alternates the relay's copy with a parser and a serializer, in this process without HTTP. */
function benchCopiedSpans(body: object): BenchRow {
  const text = JSON.stringify(body);
  const copy = () => {
    const request = responsesDialect.readRequest(text);
    return responsesDialect.upstreamBody(request, { model: 'upstream', includeUsage: true });
  };
  const serialize = () => JSON.stringify({ ...JSON.parse(text), model: 'upstream' });
  const times = { copy: [] as number[], serialize: [] as number[] };
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [name, work] of [['copy', copy] as const, ['serialize', serialize] as const]) {
      const startedAt = performance.now();
      work();
      times[name].push(performance.now() - startedAt);
    }
  }
  const [copiedMs, serializedMs] = [median(times.copy), median(times.serialize)];
  return {
    name: 'a body of 560 KB: validate and copy spans, against parse and serialize',
    value: copiedMs / serializedMs,
    unit: '×',
    goal: { atMost: 1 },
    note: `${copiedMs.toFixed(2)} against ${serializedMs.toFixed(2)} ms, ${text.length} characters`,
  };
}
