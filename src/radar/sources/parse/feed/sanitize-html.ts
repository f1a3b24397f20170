// Reduces third-party HTML to passive content by an allow list of elements, attributes and styles
// for text and images. Addresses become absolute where a base exists. Tags have one notation, so
// equal content gives equal strings.

import { tokens } from '../../../../kernel/text/markup.ts';
import { resolveEntities } from '../../../../kernel/text/text.ts';
import { resolveAny } from './resolve-link.ts';
import { safeStyle } from './safe-style.ts';

const list = (words: string): ReadonlySet<string> => new Set(words.trim().split(/\s+/));

const elements = list(`
  a abbr acronym address area article aside audio b bdi bdo big blockquote br button canvas caption
  center cite code col colgroup data datalist dd del details dfn dialog dir div dl dt em fieldset
  figcaption figure font footer form h1 h2 h3 h4 h5 h6 header hr i img input ins kbd label legend
  li main map mark menu meter nav noscript ol optgroup option output p picture pre progress q rp rt
  ruby s samp section select small source span strike strong sub summary sup table tbody td textarea
  tfoot th thead time tr track tt u ul var video wbr`);
/** Their content goes with them; of every other element only the tags go. */
const silent = list('script style applet template');
const rawText = list('script style');
export const voidElements = list(
  'area base br col embed frame hr img input link meta param source track wbr',
);
const attributes = list(`
  abbr accept accept-charset accesskey action align alt autocomplete axis background bgcolor border
  bordercolor cellpadding cellspacing char charoff charset checked cite class clear color cols
  colspan compact controls coords data datetime dir disabled draggable enctype face for frame
  headers height hidden high href hreflang hspace id ismap kind label lang list longdesc loop low
  max maxlength media method min multiple name nohref noshade nowrap open optimum pattern
  placeholder poster preload prompt radiogroup readonly rel required rev reversed rows rowspan rules
  scope selected shape size sizes span src srclang srcset start step style summary tabindex target
  title type usemap valign value volume vspace width wrap xml:lang`);
const addresses = list('action background cite data href longdesc lowsrc poster src usemap');
const schemes = list(`
  http: https: mailto: ftp: ftps: sftp: feed: news: nntp: irc: ircs: xmpp: sip: sips: tel: sms:
  magnet: geo: git: ssh: svn: webcal: gopher: telnet: rtsp: mms: callto: skype: itms:`);

/** Linear; safe to put into a page as it is. `base` is absolute, or null. */
export function sanitizeHtml(html: string, base: string | null): string {
  const pieces: string[] = [];
  let muted = 0;
  for (const token of tokens(html, { rawText })) {
    if (token.kind === 'open') {
      const name = token.name.toLowerCase();
      if (silent.has(name)) muted += token.isSelfClosing ? 0 : 1;
      else if (muted === 0 && elements.has(name)) {
        pieces.push(openTag(name, token.attributes, base));
        if (token.isSelfClosing && !voidElements.has(name)) pieces.push(`</${name}>`);
      }
    } else if (token.kind === 'close') {
      const name = token.name.toLowerCase();
      if (silent.has(name)) muted = Math.max(0, muted - 1);
      else if (muted === 0 && elements.has(name) && !voidElements.has(name)) {
        pieces.push(`</${name}>`);
      }
    } else if (muted === 0 && (token.kind === 'text' || token.kind === 'cdata')) {
      pieces.push(plain(token.text));
    }
  }
  return pieces.join('').trim();
}

/** A `<` that began no tag must not become one through what was taken away around it. */
const plain = (text: string) =>
  text.replaceAll('<', '&lt;').replaceAll('&#39;', "'").replaceAll('&#34;', '"');

function openTag(
  name: string,
  written: readonly (readonly [string, string])[],
  base: string | null,
): string {
  const kept = new Map<string, string>();
  for (const [attribute, raw] of written) {
    const key = attribute.toLowerCase();
    if (!attributes.has(key) || kept.size > 50) continue;
    const value = safeValue(key, resolveEntities(raw), base);
    if (value !== null) kept.set(key, value);
  }
  const text = [...kept]
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    .map(([key, value]) => ` ${key}="${escapeAttribute(value)}"`)
    .join('');
  return voidElements.has(name) ? `<${name}${text} />` : `<${name}${text}>`;
}

function safeValue(key: string, value: string, base: string | null): string | null {
  if (key === 'style') return safeStyle(value);
  if (key === 'srcset') return safeSourceSet(value, base);
  if (key === 'rel' || key === 'type') return value.toLowerCase();
  return addresses.has(key) ? safeAddress(value, base) : value;
}

function safeAddress(value: string, base: string | null): string {
  // Browsers skip control characters and white space when they read the scheme.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the point of the rule
  const scheme = /^[a-z][a-z0-9+.-]*:/i.exec(value.replace(/[\u0000-\u0020\u007f-\u00a0]/g, ''));
  if (scheme && !schemes.has(scheme[0].toLowerCase())) return '';
  if (scheme === null && base === null) return value.trim();
  return resolveAny(value, base) ?? '';
}

function safeSourceSet(value: string, base: string | null): string {
  return value
    .slice(0, 8_000)
    .split(/,\s+/)
    .map((candidate) => {
      const [address = '', ...size] = candidate.trim().split(/\s+/);
      return [safeAddress(address, base), ...size].join(' ').trim();
    })
    .filter((candidate) => candidate !== '')
    .join(', ');
}

export function escapeAttribute(value: string): string {
  return escapeText(value).replaceAll('"', '&quot;');
}

export function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
