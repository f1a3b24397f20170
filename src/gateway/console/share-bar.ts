// A share of the most as a bar in a row of a table: the figure beside it says it in words.
import { type Html, html } from '../../kernel/html/html.ts';

const WIDTH = 128;
const HEIGHT = 8;

/** `share`: 0 to 1. */
export function shareBar(share: number): Html {
  const wide = Math.max(1, Math.round(Math.min(1, Math.max(0, share)) * WIDTH));
  return html`<svg class="chart" aria-hidden="true" viewBox="0 0 ${WIDTH} ${HEIGHT}" \
preserveAspectRatio="none" width="${WIDTH}" height="${HEIGHT}">\
<rect class="bar" x="0" y="0" width="${wide}" height="${HEIGHT}"/></svg>`;
}
