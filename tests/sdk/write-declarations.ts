// TypeScript types from the schemas of an OpenAPI 3.1 document. Each named schema has one readonly
// type, and so has the query of each operation.

type Schema = {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema | boolean;
};

type Parameter = {
  readonly name?: string;
  readonly in?: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema?: Schema;
};

type Operation = { readonly operationId: string; readonly parameters?: readonly Parameter[] };

export type OpenApi = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
};

/** Returns a whole file, which is not formatted. `header`: its opening comment. */
export function writeDeclarations({ paths, components }: OpenApi, header: string): string {
  const schemas = Object.entries(components.schemas).map(([name, schema]) =>
    declareType(name, schema.description, typeOf(schema)),
  );
  const queries = Object.values(paths)
    .flatMap((item) => Object.values(item))
    .flatMap(({ operationId, parameters = [] }) => {
      const queryParameters = parameters.filter((parameter) => parameter.in === 'query');
      if (queryParameters.length === 0) return [];
      const name = `${operationId[0]?.toUpperCase()}${operationId.slice(1)}Query`;
      return [declareType(name, `The query of ${operationId}.`, queryType(queryParameters))];
    });
  return `${comment(header, '//')}\n\n${[...schemas, ...queries].join('\n\n')}\n`;
}

function declareType(name: string, description: string | undefined, type: string): string {
  return `${docComment(description)}export type ${name} = ${type};`;
}

function queryType(parameters: readonly Parameter[]): string {
  const fields = parameters.map(({ name = '', required = false, description, schema = {} }) =>
    declareField(name, { ...schema, ...(description !== undefined && { description }) }, required),
  );
  return `{\n${fields.join('\n')}\n}`;
}

function declareField(name: string, schema: Schema, isRequired: boolean): string {
  const key = /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name);
  const type = typeOf(schema);
  return `${docComment(schema.description)}readonly ${key}${isRequired ? '' : '?'}: ${type};`;
}

function typeOf(schema: Schema): string {
  if (schema.$ref !== undefined) return schema.$ref.split('/').at(-1) ?? 'unknown';
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return union(schema.enum.map((value) => JSON.stringify(value)));
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives !== undefined) return union(alternatives.map(typeOf));
  if (schema.allOf !== undefined)
    return schema.allOf.map((part) => `(${typeOf(part)})`).join(' & ');
  const { type } = schema;
  if (Array.isArray(type))
    return union(type.map((typeName) => typeOf({ ...schema, type: typeName })));
  switch (type) {
    case 'object':
      return objectType(schema);
    case 'array': {
      const { items } = schema;
      return `readonly (${typeof items === 'object' ? typeOf(items) : 'unknown'})[]`;
    }
    case 'integer':
      return 'number';
    case 'string':
    case 'number':
    case 'boolean':
    case 'null':
      return type;
    default:
      return schema.properties === undefined ? 'unknown' : objectType(schema);
  }
}

function objectType({ properties, required = [], additionalProperties }: Schema): string {
  if (properties === undefined || Object.keys(properties).length === 0) {
    const value =
      typeof additionalProperties === 'object' ? typeOf(additionalProperties) : 'unknown';
    return `Readonly<Record<string, ${value}>>`;
  }
  const fields = Object.entries(properties).map(([name, schema]) =>
    declareField(name, schema, required.includes(name)),
  );
  return `{\n${fields.join('\n')}\n}`;
}

const union = (types: readonly string[]): string => [...new Set(types)].join(' | ');

function docComment(text: string | undefined): string {
  return text === undefined ? '' : `\n${comment(text, '/**')}\n`;
}

const COLUMNS = 80;

/** Wraps a comment to lines of the maximum width. */
function comment(text: string, kind: '//' | '/**'): string {
  const lines: string[] = [];
  for (const word of text.replaceAll('*/', '* /').split(/\s+/)) {
    const lastLine = lines.at(-1);
    if (lastLine === undefined || lastLine.length + word.length >= COLUMNS) lines.push(word);
    else lines[lines.length - 1] = `${lastLine} ${word}`;
  }
  if (kind === '//') return lines.map((line) => `// ${line}`).join('\n');
  if (lines.length === 1) return `/** ${lines[0]} */`;
  return `/**\n${lines.map((line) => ` * ${line}`).join('\n')}\n */`;
}
