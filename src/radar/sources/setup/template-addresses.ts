// Address patterns of the source templates (`editorial/templates.json`). They are data, so that an
// installation can name a mirror, and tests can name a loopback server.
import { z } from 'zod';
import { parseLayered, readLayered } from '../../../kernel/files/layered-folder.ts';

const addressNames = [
  'youtube.handle',
  'youtube.channel',
  'youtube.playlist',
  'github.releases',
  'github.tags',
  'github.commits',
  'github.branch',
  'github.owner',
  'arxiv.category',
  'arxiv.query',
  'hn.frontpage',
  'hn.new',
  'hn.query',
  'reddit.subreddit',
  'reddit.top',
  'lobsters.all',
  'lobsters.tag',
  'bluesky.profile',
  'mastodon.account',
  'mastodon.tag',
  'telegram.channel',
  'podcast.lookup',
  'substack.name',
  'substack.host',
  'medium.path',
  'wordpress.host',
  'pypi.project',
  'crates.crate',
  'steam.app',
] as const;

export type TemplateAddressName = (typeof addressNames)[number];
export type TemplateAddresses = Readonly<Record<TemplateAddressName, string>>;

const TEMPLATES_FILE = 'templates.json';

const pattern = z
  .string()
  .regex(/^https?:\/\/\S+$/, 'must be an http or https address')
  .describe('An address with its arguments in braces');

const templatesSchema = z.strictObject({
  $schema: z.string().optional(),
  ...(Object.fromEntries(addressNames.map((name) => [name, pattern])) as Record<
    TemplateAddressName,
    typeof pattern
  >),
});

/** The content of `editorial/schemas/templates.schema.json`. */
export function templatesJsonSchema(): Record<string, unknown> {
  return {
    ...z.toJSONSchema(templatesSchema, { io: 'input' }),
    title: 'Addresses of the source templates',
  };
}

/** Reads the patterns of an editorial folder. A fault names the file and the pattern. */
export async function readTemplateAddresses(folder: string): Promise<TemplateAddresses> {
  const text = await readLayered(folder, TEMPLATES_FILE);
  const { $schema: _schema, ...addresses } = parseLayered(
    { path: TEMPLATES_FILE, text },
    templatesSchema,
  );
  return addresses;
}

/** Arguments are percent-encoded, except a `host` and the slashes of a `path` or `branch`. */
export function fillAddress(
  addressPattern: string,
  values: Readonly<Record<string, string>>,
): string {
  return addressPattern.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => {
    const value = values[name] ?? '';
    if (name === 'host') return value;
    const encoded = encodeURIComponent(value);
    const hasSlashes = name === 'path' || name === 'branch';
    return (hasSlashes ? encoded.replaceAll('%2F', '/') : encoded).replaceAll('%40', '@');
  });
}
