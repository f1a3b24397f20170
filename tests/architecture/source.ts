// One source file as the rules use it: lines, imports and syntax nodes, parsed once. Rules do not
// match code by regular expressions.
import { parseSync } from 'oxc-parser';

/** An ESTree node. Its fields depend on `type`. */
export type Node = {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
};

/** A node with its parent and the field of the parent that contains it. */
export type Visit = { readonly node: Node; readonly parent: Node | null; readonly field: string };

export type Import = {
  /** The imported specifier; null when it is computed. */
  readonly specifier: string | null;
  readonly line: number;
  readonly isTypeOnly: boolean;
};

/** A text in the code: a string, or a template with `${…}` written as `$?`. */
export type Text = { readonly value: string; readonly line: number };

export type Source = {
  /** From the project's root, with forward slashes. */
  readonly path: string;
  readonly lines: readonly string[];
  /** Parse errors, one line each; empty for a valid file. */
  readonly errors: readonly string[];
  readonly visits: readonly Visit[];
  readonly imports: readonly Import[];
  readonly texts: readonly Text[];
  readonly comments: readonly { readonly value: string; readonly line: number }[];
  lineOf(offset: number): number;
};

/** Reads a file of any kind. Only code is parsed; other files have lines and comments after `#`. */
export function readSource(path: string, text: string): Source {
  const starts = lineStarts(text);
  const lineOf = (offset: number) => lineAt(starts, offset);
  const lines = text.split('\n');
  const emptySource = { errors: [], visits: [], imports: [], texts: [] };
  if (!/\.[cm]?[jt]sx?$/.test(path)) {
    return { path, lines, lineOf, ...emptySource, comments: shellComments(lines) };
  }
  const parsed = parseSync(path, text);
  const visits = collectVisits(parsed.program);
  return {
    path,
    lines,
    lineOf,
    visits,
    errors: parsed.errors.map((error) => error.message),
    imports: visits.flatMap((visit) => importsOf(visit, lineOf)),
    texts: visits.flatMap((visit) => textsOf(visit, lineOf)),
    comments: parsed.comments.map(({ value, start }) => ({ value, line: lineOf(start) })),
  };
}

const shellComments = (lines: readonly string[]) =>
  lines.flatMap((text, index) => {
    const [, value] = /^\s*#(?!!)(.*)$/.exec(text) ?? [];
    return value === undefined ? [] : [{ value, line: index + 1 }];
  });

/** The node in a field; null when the field contains none. */
export function childOf(node: Node | null | undefined, field: string): Node | null {
  const value = node?.[field];
  return isNode(value) ? value : null;
}

/** The nodes in a field with a list. */
export function childrenOf(node: Node | null | undefined, field: string): readonly Node[] {
  const value = node?.[field];
  return Array.isArray(value) ? value.filter(isNode) : [];
}

/** The name of an identifier; null for anything else. */
export function nameOf(node: Node | null | undefined): string | null {
  return node?.type === 'Identifier' && typeof node.name === 'string' ? node.name : null;
}

/** The text of a string literal or of a template without expressions; null for anything else. */
export function stringOf(node: Node | null | undefined): string | null {
  if (node?.type === 'Literal' && typeof node.value === 'string') return node.value;
  if (node?.type !== 'TemplateLiteral') return null;
  return childrenOf(node, 'expressions').length === 0 ? templateText(node) : null;
}

/** The member name of `a.b` or `a['b']`; null for anything else. */
export function memberOf(node: Node | null | undefined): string | null {
  if (node?.type !== 'MemberExpression') return null;
  const property = childOf(node, 'property');
  return node.computed ? stringOf(property) : nameOf(property);
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
}

function collectVisits(program: unknown): Visit[] {
  const visits: Visit[] = [];
  const enter = (node: Node, parent: Node | null, field: string) => {
    visits.push({ node, parent, field });
    for (const [name, value] of Object.entries(node)) {
      for (const child of Array.isArray(value) ? value : [value]) {
        if (isNode(child)) enter(child, node, name);
      }
    }
  };
  if (isNode(program)) enter(program, null, '');
  return visits;
}

function importsOf({ node }: Visit, lineOf: (offset: number) => number): Import[] {
  const importOf = (specifierNode: Node | null, isTypeOnly: boolean): Import[] => [
    { specifier: stringOf(specifierNode), line: lineOf(node.start), isTypeOnly },
  ];
  switch (node.type) {
    case 'ImportDeclaration':
      return importOf(childOf(node, 'source'), isTypeOnly(node, 'importKind'));
    case 'ExportAllDeclaration':
    case 'ExportNamedDeclaration':
      return node.source ? importOf(childOf(node, 'source'), isTypeOnly(node, 'exportKind')) : [];
    case 'TSImportType':
      return importOf(childOf(node, 'source'), true);
    case 'ImportExpression':
      return importOf(childOf(node, 'source'), false);
    case 'TSExternalModuleReference':
      return importOf(childOf(node, 'expression'), false);
    case 'CallExpression':
      return isResolving(childOf(node, 'callee'))
        ? importOf(childrenOf(node, 'arguments')[0] ?? null, false)
        : [];
    default:
      return [];
  }
}

function isTypeOnly(node: Node, field: 'importKind' | 'exportKind'): boolean {
  if (node[field] === 'type') return true;
  const specifiers = childrenOf(node, 'specifiers');
  return specifiers.length > 0 && specifiers.every((specifier) => specifier[field] === 'type');
}

/** `require`, `require.resolve` and `import.meta.resolve`. */
function isResolving(callee: Node | null): boolean {
  if (nameOf(callee) === 'require') return true;
  if (memberOf(callee) !== 'resolve') return false;
  const object = childOf(callee, 'object');
  return nameOf(object) === 'require' || object?.type === 'MetaProperty';
}

function textsOf({ node, field }: Visit, lineOf: (offset: number) => number): Text[] {
  if (field === 'source') return [];
  const value = node.type === 'TemplateLiteral' ? templateText(node) : stringOf(node);
  return value === null ? [] : [{ value, line: lineOf(node.start) }];
}

function templateText(node: Node): string {
  return childrenOf(node, 'quasis')
    .map((quasi) => (quasi.value as { cooked: string | null; raw: string }).raw)
    .join('$?');
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (
    let position = text.indexOf('\n');
    position >= 0;
    position = text.indexOf('\n', position + 1)
  )
    starts.push(position + 1);
  return starts;
}

function lineAt(starts: readonly number[], offset: number): number {
  let low = 0;
  let high = starts.length;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle;
  }
  return low + 1;
}
