// The bytes that a first visit to a page loads: page, styles, scripts and font, as they are sent.
import type { Tab } from './browser.ts';

/** The most that a page may load. */
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
  const measured: [string, number][] = [];
  for (const address of addresses) {
    bytes = 0;
    await tab.goto(address, { waitUntil: 'networkidle' });
    measured.push([address, bytes]);
  }
  // A page without its font and styles was not measured. The page of a feed has no serif text.
  const incomplete = measured.filter(
    ([address, size]) => size < COLD_BYTES_MIN && !address.includes('/feed'),
  );
  if (incomplete.length > 0) throw new Error(`not measured: ${JSON.stringify(incomplete)}`);
  return measured.filter(([, size]) => size > COLD_BYTES_MAX);
}
