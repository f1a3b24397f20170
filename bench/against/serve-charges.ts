// Measures charges of one wallet with the code of one version, without HTTP.
import { openBenchWallet } from '../ledger/bench-wallet.ts';
import { measureRate } from '../ledger/concurrent-callers.ts';
import { median } from '../row.ts';
import { serveVersion } from './version-process.ts';

export type ChargeRequest = { readonly callers: number; readonly seconds: number };
export type ChargeReply = {
  readonly perSecond: number;
  readonly authorizeMs: number;
  readonly captureMs: number;
};

const bench = await openBenchWallet();

async function measureCharges({ callers, seconds }: ChargeRequest): Promise<ChargeReply> {
  const [authorizations, captures]: [number[], number[]] = [[], []];
  const rate = await measureRate(callers, seconds, async () => {
    const start = performance.now();
    const requestId = await bench.authorizeCall();
    const authorized = performance.now();
    await bench.captureCall(requestId);
    authorizations.push(authorized - start);
    captures.push(performance.now() - authorized);
  });
  return { perSecond: rate, authorizeMs: median(authorizations), captureMs: median(captures) };
}

serveVersion({}, measureCharges, bench.close);
