// The definition of a source: common fields, and the settings of each of the four kinds. A problem
// names the unknown, missing or invalid setting.

import { z } from 'zod';
import { pathProblem, templateProblem } from './parse/json-list/json-path.ts';
import { selectorProblem } from './parse/web-list/selector.ts';
import {
  describeIssue,
  type SettingProblem,
  type SettingsLanguage,
  settingProblems,
  translateIssue,
  unknownSetting,
} from './settings-messages.ts';

const httpUrl = z
  .url({ protocol: /^https?$/, error: settingProblems.address.en })
  .describe('An absolute http or https address');

const selector = z
  .string()
  .min(1)
  .max(500)
  .superRefine((value, context) => addProblem(context, selectorProblem(value)))
  .describe('A CSS selector');

const jsonPath = z
  .string()
  .min(1)
  .max(300)
  .superRefine((value, context) => addProblem(context, pathProblem(value)))
  .describe('A dotted path with optional brackets: data.items, authors[0].name');

const timeZone = z
  .string()
  .refine(isTimeZone, settingProblems.timeZone.en)
  .describe('IANA time zone of dates without a zone');

const linkFilters = {
  linkPrefix: z
    .union([z.string().min(1), z.array(z.string().min(1)).min(1)])
    .describe('An address or a path with which links must begin; other entries are dropped')
    .optional(),
  linkExclude: z
    .union([z.string().min(1), z.array(z.string().min(1)).min(1)])
    .describe('Entries whose links begin with this address or path are dropped')
    .optional(),
  maxEntries: z.int().min(1).max(500).describe('200 when absent').optional(),
};

const attribute = z
  .string()
  .regex(/^[a-zA-Z_:][-a-zA-Z0-9_:.]*$/, settingProblems.attribute.en)
  .describe(
    'Name of the attribute with the date; when absent, datetime and then the text are read',
  );

const dateOrder = z
  .enum(['auto', 'dmy', 'mdy', 'ymd'])
  .describe('Order of day and month in 03/04/2026; auto ignores a date that could mean two days');

const feedSettings = z.strictObject({
  url: httpUrl,
  gapSeconds: z
    .int()
    .min(1)
    .max(60)
    .describe('Seconds between two requests to the host, if it requires more than the default')
    .optional(),
});

const detailSettings = z
  .strictObject({
    title: selector.optional(),
    date: selector.optional(),
    dateAttribute: attribute.optional(),
    dateFormat: dateOrder.optional(),
    summary: selector.optional(),
    content: selector.optional(),
    author: selector.optional(),
  })
  .describe('Selectors for the page of one entry: they read values that the list lacks');

const webListSettings = z.strictObject({
  url: httpUrl,
  item: selector,
  link: selector.optional(),
  title: selector.optional(),
  summary: selector.optional(),
  author: selector.optional(),
  date: selector.optional(),
  dateAttribute: attribute.optional(),
  dateFormat: dateOrder.optional(),
  timeZone: timeZone.optional(),
  detail: detailSettings.optional(),
  ...linkFilters,
});

const jsonListSettings = z
  .strictObject({
    url: httpUrl,
    items: jsonPath.describe('Path of the array; "$" when the document is the array'),
    id: jsonPath.optional(),
    title: jsonPath,
    link: jsonPath.describe('Path of the address; absolute, or relative to url').optional(),
    urlTemplate: z
      .string()
      .max(500)
      .superRefine((value, context) => addProblem(context, templateProblem(value)))
      .describe('An address with paths of the item in braces: https://x.example/{id}')
      .optional(),
    summary: jsonPath.optional(),
    content: jsonPath.optional(),
    author: jsonPath.optional(),
    date: jsonPath.optional(),
    updated: jsonPath.optional(),
    dateFormat: z.enum(['iso', 'epoch-s', 'epoch-ms']).describe('iso when absent').optional(),
    timeZone: timeZone.optional(),
    ...linkFilters,
  })
  .refine(({ link, urlTemplate }) => (link === undefined) !== (urlTemplate === undefined), {
    path: ['link'],
    error: settingProblems.linkOrTemplate.en,
  });

const pushSettings = z.strictObject({});

const commonFields = {
  id: z
    .string()
    .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, settingProblems.id.en)
    .max(60)
    .describe('The identifier in rows and commands; it never changes'),
  name: z.string().trim().min(1).max(120).describe('The name that readers see'),
  owner: z
    .string()
    .trim()
    .min(1)
    .max(120)
    .describe('The publisher; several sources of one owner count once'),
  tier: z
    .enum(['T1', 'T1_5', 'T2'])
    .describe('T1: a first party; T1_5: a trusted professional; T2: all others'),
  language: z.string().regex(/^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/, settingProblems.language.en),
  intervalMinutes: z
    .int()
    .min(5)
    .max(10_080)
    .describe('Minutes between two fetches, before the interval is adapted'),
  participation: z
    .enum(['editorial', 'signal', 'isolated'])
    .describe('signal counts for heat only; isolated is listed and never selected'),
  categoryHint: z
    .string()
    .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, settingProblems.category.en)
    .max(60)
    .describe('The category of categories.json to which most items belong')
    .optional(),
  privateHosts: z
    .array(z.string().regex(/^[^\s/]+$/, settingProblems.host.en))
    .describe(
      'Private addresses that this source may request, as host or host:port: tests and demo only',
    )
    .optional(),
  proxy: z
    .string()
    .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, settingProblems.proxy.en)
    .max(60)
    .describe('A proxy of network.proxies, or "none"; network.proxy when absent')
    .optional(),
  verified: z.boolean().describe('True after a first successful fetch of the address').optional(),
};

export const sourceSchema = z
  .discriminatedUnion('kind', [
    z.strictObject({ ...commonFields, kind: z.literal('feed'), settings: feedSettings }),
    z.strictObject({ ...commonFields, kind: z.literal('web-list'), settings: webListSettings }),
    z.strictObject({ ...commonFields, kind: z.literal('json-list'), settings: jsonListSettings }),
    z.strictObject({ ...commonFields, kind: z.literal('push'), settings: pushSettings }),
  ])
  .describe('One source');

export type SourceDefinition = z.infer<typeof sourceSchema>;
export type WebListSettings = z.infer<typeof webListSettings>;
export type DetailSettings = z.infer<typeof detailSettings>;
export type JsonListSettings = z.infer<typeof jsonListSettings>;

export type ParsedSource =
  | { readonly kind: 'source'; readonly source: SourceDefinition }
  /**
   * One line per problem with its setting: `settings.itme: unknown setting of a web-list source`.
   */
  | { readonly kind: 'invalid'; readonly problems: readonly string[] };

/** Parses one definition from parsed JSON. `language` is the language of problems. */
export function parseSourceDefinition(
  json: unknown,
  language: SettingsLanguage = 'en',
): ParsedSource {
  const result = sourceSchema.safeParse(json, { error: describeIssue(language) });
  if (result.success) return { kind: 'source', source: result.data };
  const kind = kindOf(json);
  return {
    kind: 'invalid',
    problems: result.error.issues.flatMap((issue) => formatIssue(issue, kind, language)),
  };
}

function formatIssue(
  issue: z.core.$ZodIssue,
  kind: string,
  language: SettingsLanguage,
): readonly string[] {
  const path = issue.path.join('.');
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => {
      const name = path === '' ? key : `${path}.${key}`;
      return `${name}: ${unknownSetting(kind)[language]}`;
    });
  }
  if (issue.code === 'invalid_union' && path === 'kind') {
    return [`kind: ${settingProblems.kind[language]}`];
  }
  const problem = translateIssue(issue, language);
  return [path === '' ? problem : `${path}: ${problem}`];
}

function kindOf(json: unknown): string {
  const kind = typeof json === 'object' && json !== null && 'kind' in json ? json.kind : null;
  return typeof kind === 'string' ? kind : 'source';
}

function addProblem(context: z.core.$RefinementCtx<string>, problem: SettingProblem | null): void {
  if (problem === null) return;
  context.addIssue({ code: 'custom', message: problem.en, params: { problem } });
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
