// Descriptions of parameters. Allowed values come from the zod schemas that validate queries.
import { z } from 'zod';
import { maxCursorLength } from '../../../kernel/text/cursor.ts';
import { USER_AGENT_MAX } from '../request-filter/user-agent.ts';

type ParameterDoc = {
  readonly description: string;
  readonly example?: string | number;
  /** Members added to the validating schema. */
  readonly schema?: Readonly<Record<string, unknown>>;
};

/** The JSON Schema of one parameter. */
type AllowedValues = { readonly enum?: readonly string[] } & Readonly<Record<string, unknown>>;

const token = { minLength: 1, maxLength: maxCursorLength };

const documentedParameters: Readonly<Record<string, ParameterDoc>> = {
  mode: { description: 'Only the selected set, or all public items.', example: 'selected' },
  category: { description: 'Only items of this category.' },
  window: { description: 'Length of time: a day or a week.', example: '7d' },
  by: {
    description:
      'Time by which the items are ordered. `timeline`: the position in this radar’s timeline. ' +
      '`published`: the time of publication, or of discovery when publication is unknown.',
    example: 'timeline',
  },
  q: {
    description:
      'Words to search for, 2 to 200 code points after trimming. An item matches when every word ' +
      'occurs in its titles, its summary or the name of its source. The order stays that of `by`.',
    example: 'context window',
    schema: { minLength: 2, maxLength: 200 },
  },
  language: { description: 'Only items in this language.' },
  minScore: { description: 'Only items with at least this public score; 0 includes all.' },
  source: {
    description: 'Only items of the publisher with this public name; letter case is ignored.',
    example: 'Example News',
    schema: { minLength: 1, maxLength: 200 },
  },
  limit: { description: 'Maximum number of results.' },
  cursor: {
    description: 'Opaque value of an earlier response, unchanged, with the same other parameters.',
    schema: token,
  },
  page: {
    description:
      'nextPage of the previous page, unchanged. All pages have the same snapshot and fields.',
    schema: token,
  },
  fields: {
    description: '`default`: complete items. `minimal`: only the fields that a list needs.',
  },
};

/** The query parameters of one operation. `documentedParameters` must contain each of them. */
export function queryParameters(query: z.ZodObject): readonly object[] {
  const { properties = {}, required = [] } = z.toJSONSchema(query, { io: 'input' });
  return Object.entries(properties).map(([name, allowedValues]) => {
    const { description, example, schema } = documentedParameters[name] ?? { description: '' };
    // Numbers are validated as text, but documented as numbers.
    const { pattern: _pattern, ...documentedSchema } = allowedValues as AllowedValues;
    const defaultResult = query.shape[name]?.safeParse(undefined);
    // The categories come from this radar's editorial folder.
    const exampleValue = example ?? (name === 'category' ? documentedSchema.enum?.[0] : undefined);
    return {
      name,
      in: 'query',
      required: required.includes(name),
      description,
      schema: {
        ...documentedSchema,
        ...schema,
        ...(defaultResult?.success &&
          defaultResult.data !== undefined && { default: defaultResult.data }),
      },
      ...(exampleValue !== undefined && { example: exampleValue }),
    };
  });
}

export type PathParameter = {
  readonly name: string;
  readonly description: string;
  readonly schema: Readonly<Record<string, unknown>>;
  readonly example: string;
};

export const pathParameter = (parameter: PathParameter) => ({
  ...parameter,
  in: 'path',
  required: true,
});

/** Parameters of every operation: feed contract, "Requests". */
export const sharedParameters = {
  ActorUserAgent: {
    name: 'User-Agent',
    in: 'header',
    required: false,
    description:
      'Name and version of the client. It may carry `radar-actor/<uuid-v4>` or ' +
      '`aihot-actor/<uuid-v4>`, a pseudonym that is counted per day and never stored.',
    schema: { type: 'string', maxLength: USER_AGENT_MAX },
    example: 'ExampleReader/1.0 radar-actor/0b6f6f0e-5a3c-4c55-9a0e-0d6b8f1c2a11',
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    required: false,
    description:
      'ETags of copies that the client has, or `*`. When one of them is current, the response is ' +
      '304 without a body.',
    schema: { type: 'string' },
    example: 'W/"5f2a9Qm1kEXAMPLEtagAbc"',
  },
} as const;

export const sharedParameterRefs = Object.keys(sharedParameters).map((name) => ({
  $ref: `#/components/parameters/${name}`,
}));
