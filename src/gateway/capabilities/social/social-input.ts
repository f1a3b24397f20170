// Validates the input of `social`, `{ platform, action, params }` with parameters per action. A
// link of another platform, or of no platform, is refused before a hold or a request.
import { z } from 'zod';
import { Fault } from '../../../kernel/errors/fault.ts';
import { sandboxWord } from '../sandbox-inputs.ts';
import { textOfLength } from '../text-rules.ts';
import type { Link } from './links/link.ts';
import { platformOfLink, readLink } from './links/read-link.ts';
import { decodePosition, nextPageLengthMax } from './next-page.ts';
import { acceptedPlatforms, actions, type PlatformId, platformOf, platforms } from './platforms.ts';

const platform = z
  .string()
  .max(64)
  .refine((name) => platformOf(name) !== null, {
    error: () => `must be one of ${acceptedPlatforms()}`,
  })
  .meta({ description: 'Id of a platform', enum: platforms.map(({ id }) => id) });

const content = z.strictObject({
  platform,
  action: z.literal('content'),
  params: z.strictObject({
    url: z.string().min(1).max(4096).describe('A link of the platform, or a share text with one'),
  }),
});

const search = z.strictObject({
  platform,
  action: z.literal('search'),
  params: z.strictObject({
    keyword: textOfLength(1, 200),
    page: z
      .string()
      .min(1)
      .max(nextPageLengthMax)
      .optional()
      .describe('next_page of an earlier response'),
    limit: z.int().min(1).max(50).default(20),
  }),
});

export const socialInput = z.discriminatedUnion('action', [content, search], {
  error: (issue) =>
    issue.code === 'invalid_union' ? `must be one of ${actions.join(', ')}` : undefined,
});

export type SocialInput = z.infer<typeof socialInput>;
export type ContentInput = Extract<SocialInput, { action: 'content' }>;

export function platformIn(input: SocialInput): PlatformId {
  const platform = platformOf(input.platform);
  if (platform === null) {
    throw new Fault('invalid_request', `platform must be one of ${acceptedPlatforms()}.`);
  }
  return platform;
}

/** Throws Fault `invalid_request`. */
export function checkSocial(input: SocialInput): void {
  const platform = platformIn(input);
  if (input.action === 'search') {
    const { page, keyword } = input.params;
    if (page !== undefined && decodePosition({ platform: platform, keyword }, page) === null) {
      const problem = 'params.page is not a next_page value from a response to this search.';
      throw new Fault('invalid_request', problem);
    }
    return;
  }
  const link = readLink(input.params.url, platform);
  if (link === null) {
    const accepted = `A link or share text of ${platform} is accepted here.`;
    const problem = 'params.url contains no link of a known platform.';
    throw new Fault('invalid_request', `${problem} ${accepted}`);
  }
  const actual = platformOfLink(link);
  if (actual !== platform) {
    const problem = `params.url is a link of ${actual}, and platform is ${platform}.`;
    throw new Fault('invalid_request', `${problem} Change one of the two.`);
  }
  if (link.kind === 'other' && sandboxWord(input.params.url) === null) {
    throw new Fault('invalid_request', `params.url leads to no single post of ${platform}.`);
  }
}

/** The link of a checked input; null: an input of test mode without a link to a post. */
export function linkIn(input: ContentInput): Exclude<Link, { kind: 'other' }> | null {
  const link = readLink(input.params.url, platformIn(input));
  return link === null || link.kind === 'other' ? null : link;
}
