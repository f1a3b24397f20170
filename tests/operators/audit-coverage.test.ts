// Every form of both admin areas adds a row to the audit log. Its handler reaches `withAudit`
// through functions of the areas and of `src/operators`.
import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { adminRoutes as gatewayRoutes } from '../../src/gateway/admin/routes.ts';
import { adminRoutes as radarRoutes } from '../../src/radar/admin/routes.ts';

/** Forms whose rows this check cannot find. */
const routesWithoutVisibleAudit = [
  // Shows the feeds of a site; another form adds the source.
  'POST /admin/sources/find',
  // A method of the sessions writes the row, and audit-log.test.ts tests that method.
  'POST /admin/profile/sessions/end',
];

type Module = {
  /** The text of each function or constant at the top level. */
  readonly texts: ReadonlyMap<string, string>;
  /** Imported names and the files that define them. */
  readonly imports: ReadonlyMap<string, string>;
};

const modules = new Map<string, Module>();

function moduleAt(path: string): Module {
  const knownModule = modules.get(path);
  if (knownModule !== undefined) return knownModule;
  const source = readFileSync(path, 'utf8');
  const texts = new Map<string, string>();
  for (const declaration of source.split(/^(?=(?:export )?(?:async )?(?:function|const) )/m)) {
    const name = /^(?:export )?(?:async )?(?:function|const) (\w+)/.exec(declaration)?.[1];
    if (name !== undefined) texts.set(name, declaration);
  }
  const imports = new Map<string, string>();
  for (const [, names = '', from = ''] of source.matchAll(
    /^import \{([^}]*)\} from '(\.[^']*)';/gm,
  )) {
    for (const name of names.split(',')) {
      if (/^\s*\w+\s*$/.test(name)) imports.set(name.trim(), join(dirname(path), from));
    }
  }
  const module = { texts, imports };
  modules.set(path, module);
  return module;
}

/** Whether code of a file can reach a call of `withAudit`. */
function reachesAudit(path: string, text: string, visited = new Set<string>()): boolean {
  if (/\bwithAudit(?:<|\()/.test(text)) return true;
  const { texts, imports } = moduleAt(path);
  return [...text.matchAll(/\b[a-z]\w+\b/g)].some(([name]) => {
    const from = imports.get(name);
    // Functions outside of the areas write no rows of the audit log.
    if (from !== undefined && !/src\/(?:radar\/admin|gateway\/admin|operators)\//.test(from)) {
      return false;
    }
    const file = from ?? path;
    const nextText = moduleAt(file).texts.get(name);
    if (nextText === undefined || (from === undefined && !texts.has(name))) return false;
    if (visited.has(`${file} ${name}`)) return false;
    visited.add(`${file} ${name}`);
    return reachesAudit(file, nextText, visited);
  });
}

test.each([
  ['radar', radarRoutes],
  ['gateway', gatewayRoutes],
] as const)('every form of the %s writes a row of the audit log', (area, routes) => {
  const table = resolve(`src/${area}/admin/routes.ts`);
  const shared = resolve('src/operators/pages/routes.ts');
  const isAudited = (handle: unknown) => {
    const text = `${String(handle)} ${(handle as { readonly name: string }).name}`;
    const importsHandler = (path: string) =>
      [...moduleAt(path).imports.keys()].some((name) => new RegExp(`\\b${name}\\b`).test(text));
    return [table, shared].some(
      (path) => importsHandler(path) && reachesAudit(path, handlerNameIn(text)),
    );
  };
  const unauditedRoutes = (method: 'GET' | 'POST') =>
    routes
      .filter((route) => route.method === method)
      .filter(({ handle }) => !isAudited(handle))
      .map(({ path }) => `${method} ${path}`);
  expect(
    unauditedRoutes('POST').filter((route) => !routesWithoutVisibleAudit.includes(route)),
  ).toEqual([]);
  // The check must be able to fail: pages without changes do not reach the audit log.
  expect(unauditedRoutes('GET')).toContain('GET /admin/audit');
});

/** The function that an arrow function calls, or the named function itself. */
const handlerNameIn = (text: string): string => {
  const arrow = /=>\s*(?:\(0,\s*)?(?:\w+\.)?(\w+)\)?\(/.exec(text)?.[1];
  return text.startsWith('(') && arrow !== undefined ? arrow : (text.split(' ').at(-1) ?? '');
};
