// Renders a text as a QR code. The code is dark on light in every theme, as scanners require.
import encodeQR from 'qr';
import { type Html, html } from './html.ts';

const BORDER = 4;

/** `label` is the text alternative. */
export function renderQrImage(text: string, label: string): Html {
  const rows = encodeQR(text, 'raw', { border: BORDER, ecc: 'medium' });
  const size = rows.length;
  const squares = rows.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])),
  );
  return html`<svg class="qr" role="img" aria-label="${label}" viewBox="0 0 ${size} ${size}" \
width="200" height="200" shape-rendering="crispEdges">\
<rect width="${size}" height="${size}" fill="#fff"/><path fill="#000" d="${squares.join('')}"/>\
</svg>`;
}
