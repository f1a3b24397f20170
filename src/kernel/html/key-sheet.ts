// Renders the list of keyboard shortcuts and the command palette: closed dialogs that `keys.js`
// opens.
import { type Html, html } from './html.ts';

export type KeySheet = {
  readonly title: string;
  /** Keys and their names. */
  readonly rows: readonly (readonly [string, string])[];
  /** Addresses by the letter after `g`; `/` is the address of the search. */
  readonly addresses: Readonly<Record<string, string>>;
  readonly close: string;
  readonly palette: string;
};

export function renderKeySheet({ title, rows, addresses, close, palette }: KeySheet): Html {
  const search = addresses['/'];
  return html`<dialog id="keys" aria-labelledby="keys-title" \
data-places="${JSON.stringify(addresses)}"><h2 id="keys-title">${title}</h2>
<dl class="facts">${rows.map(
    ([key, name]) => html`<dt><kbd lang="en">${key}</kbd></dt><dd>${name}</dd>`,
  )}</dl>
<form method="dialog"><button class="quiet">${close}</button></form></dialog>
<dialog id="palette" aria-label="${palette}">\
<form ${search === undefined ? html`method="dialog"` : html`action="${search}"`}>
<label class="over" for="palette-q">${palette}</label>
<input type="search" id="palette-q" name="q" maxlength="200" autocomplete="off"></form>
<ul class="palette-list"></ul></dialog>`;
}
