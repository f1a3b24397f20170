// Measures the bytes that a first visit to a page loads: page, styles, scripts and font, each in
// its compressed size.
import type { Tab } from './browser.ts';

/** The largest number of bytes that a page may load. */
const COLD_BYTES_MAX = 70 * 1024;

const COLD_BYTES_MIN = 30_000;

/** Pages that load more than the maximum, with their bytes. The tab must have no open requests. */
export async function pagesOverMaximum(
  tab: Tab,
  addresses: readonly string[],
): Promise<readonly (readonly [string, number])[]> {
  const network = await tab.context().newCDPSession(tab);
  await network.send('Network.enable');
  await network.send('Network.setCacheDisabled', { cacheDisabled: true });
  let bytes = 0;
  network.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  const pageSizes: [string, number][] = [];
  for (const address of addresses) {
    bytes = 0;
    await tab.goto(address, { waitUntil: 'networkidle' });
    pageSizes.push([address, bytes]);
  }
  // A page below the minimum was measured before its font and styles arrived. Feed pages have no
  // serif text, so they load no font and may be smaller.
  const incompletePages = pageSizes.filter(
    ([address, size]) => size < COLD_BYTES_MIN && !address.includes('/feed'),
  );
  if (incompletePages.length > 0)
    throw new Error(`not measured: ${JSON.stringify(incompletePages)}`);
  return pageSizes.filter(([, size]) => size > COLD_BYTES_MAX);
}
