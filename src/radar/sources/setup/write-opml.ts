// Writes sources as OPML 2.0. Each outline has the radar's definition, so that the radar
// imports its own file exactly. Private hosts and addresses with an API key are not exported.
import { html } from '../../../kernel/html/html.ts';
import type { SourceDefinition } from '../source-settings.ts';

export type WrittenOpml = {
  readonly text: string;
  /** Sources that are not in the file because their address contains an API key. */
  readonly omittedIds: readonly string[];
};

const NAMESPACE = 'urn:content-radar:opml';
const secretParameter = /^(?:.*[_-])?(?:key|token|secret|password|passwd|pwd|auth|sig|signature)$/i;

/** `title` is the radar's name; `exportedAt` is the time of the export, epoch milliseconds. */
export function writeOpml(
  title: string,
  sources: readonly SourceDefinition[],
  exportedAt: number,
): WrittenOpml {
  const isSecret = (source: SourceDefinition) => containsKey(addressOf(source));
  const publicSources = sources.filter((source) => !isSecret(source));
  const text = html`<?xml version="1.0" encoding="UTF-8"?>
<opml version="2.0" xmlns:radar="${NAMESPACE}">
<head>
<title>${title}</title>
<dateCreated>${new Date(exportedAt).toUTCString()}</dateCreated>
</head>
<body>
${publicSources.map(renderOutline)}</body>
</opml>
`.text;
  return { text, omittedIds: sources.filter(isSecret).map(({ id }) => id) };
}

const addressOf = (source: SourceDefinition): string | null =>
  source.kind === 'push' ? null : source.settings.url;

function containsKey(address: string | null): boolean {
  const url = address === null ? null : URL.parse(address);
  if (url === null) return false;
  return (
    url.username !== '' || [...url.searchParams.keys()].some((key) => secretParameter.test(key))
  );
}

function renderOutline(source: SourceDefinition) {
  const { privateHosts: _hosts, verified: _verified, ...definition } = source;
  const address = addressOf(source);
  const isFeed = source.kind === 'feed';
  return html`<outline text="${source.name}" title="${source.name}"\
${isFeed && html` type="rss"`}${isFeed && address !== null && html` xmlUrl="${address}"`}\
 language="${source.language}" radar:definition="${JSON.stringify(definition)}"/>
`;
}
