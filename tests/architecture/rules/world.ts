// Time, randomness, network, environment and terminal come from the World and `config.ts` only.
// Tests, replays and production therefore run the same code.
import { isCode, isProductionCode, isTestPath, placeOf } from '../place.ts';
import { eachFile, type Finding, type Rule } from '../rule.ts';
import { childOf, childrenOf, memberOf, type Node, nameOf, type Source } from '../source.ts';

/** Forbidden members, by the name of their object. */
const members: Readonly<Record<string, RegExp>> = {
  Date: /^now$/,
  Math: /^random$/,
  performance: /./,
  process: /^hrtime$/,
  console: /./,
  globalThis: /^(fetch|console|performance|crypto|setTimeout|setInterval|WebSocket)$/,
  crypto: /^(random.*|getRandomValues|generateKey.*|subtle|webcrypto)$/,
  Now: /./,
};
/** Forbidden functions and classes, unless the file declares them itself. */
const globals = [
  'fetch',
  'setTimeout',
  'setInterval',
  'WebSocket',
  'EventSource',
  'XMLHttpRequest',
];
/** Forbidden imports: `module` → names (or the whole module). */
const modules: Readonly<Record<string, RegExp>> = {
  'node:timers': /^(?!setImmediate$|clear)/,
  'node:timers/promises': /^(?!setImmediate$)/,
  'node:crypto': /^(random.*|getRandomValues|generateKey.*|webcrypto)$/,
  'node:perf_hooks': /./,
  'node:console': /./,
  'node:dns': /./,
  'node:dns/promises': /./,
  'node:http': /^(request|get|Agent|globalAgent)$/,
  'node:https': /^(request|get|Agent|globalAgent)$/,
  undici: /./,
};

/** The kernel creates the World, and each `main.ts` uses the real World. */
const canUseTheMachine = (path: string) =>
  placeOf(path).kind === 'kernel' || path === 'src/main.ts' || path === 'demo/main.ts';

const worldIsAParameter: Rule = {
  name: 'the World is passed in',
  description:
    'Outside of the kernel and main.ts: no own clock, randomness, timer, network or console.',
  scope: (path) =>
    (isProductionCode(path) || (path.startsWith('demo/') && isCode(path) && !isTestPath(path))) &&
    !canUseTheMachine(path),
  atLeast: 30,
  find: eachFile((source) => [...machineUses(source), ...machineImports(source)]),
  violations: [
    { 'src/radar/ranking/a.ts': 'const at = Date.now();' },
    { 'src/radar/ranking/a.ts': 'const at = new Date();' },
    { 'src/radar/ranking/a.ts': 'const at = Date();' },
    { 'src/radar/ranking/a.ts': 'const roll = Math.random();' },
    { 'src/radar/ranking/a.ts': "const roll = Math['random']();" },
    { 'src/radar/ranking/a.ts': 'const page = await fetch(url);' },
    { 'src/radar/ranking/a.ts': 'const page = await globalThis.fetch(url);' },
    { 'src/radar/ranking/a.ts': 'console.log(1);' },
    { 'src/radar/ranking/a.ts': 'const took = performance.now();' },
    { 'src/radar/ranking/a.ts': 'const took = process.hrtime.bigint();' },
    { 'src/jobs/a.ts': 'setTimeout(run, 1000);' },
    { 'src/jobs/a.ts': "import { setInterval as every } from 'node:timers/promises';" },
    { 'src/store/a.ts': "import { randomUUID } from 'node:crypto';" },
    { 'src/store/a.ts': 'const id = crypto.randomUUID();' },
    { 'src/store/a.ts': "import crypto from 'node:crypto'; const id = crypto.randomBytes(6);" },
    { 'src/gateway/relay/a.ts': "import { request } from 'undici';" },
    { 'src/gateway/relay/a.ts': "import { request } from 'node:https';" },
    { 'src/gateway/relay/a.ts': "import http from 'node:http'; http.request(url);" },
    { 'src/radar/reports/a.ts': 'const today = Temporal.Now.plainDateISO();' },
    { 'demo/publishers.ts': 'const at = Date.now();' },
  ],
  nearMisses: [
    {
      'src/radar/ranking/a.ts':
        'const at = new Date(world.clock.now()); const ms = Date.parse(text);',
    },
    {
      'src/radar/ranking/a.ts':
        'const page = await source.fetch(url); const half = Math.round(0.5);',
    },
    {
      'src/radar/ranking/a.ts': 'const due = { setTimeout: 1, console: true }; setImmediate(run);',
    },
    { 'src/radar/ranking/a.ts': "import { createHash } from 'node:crypto'; // not Date.now()" },
    { 'src/radar/api/a.ts': "import { createServer } from 'node:http'; type F = typeof fetch;" },
    { 'src/kernel/clock.ts': 'export const now = () => Date.now();' },
    { 'src/main.ts': 'setTimeout(stop, 10_000);' },
  ],
};

const onlyConfigReadsTheEnvironment: Rule = {
  name: 'only config.ts reads the environment',
  description: 'process.env is read in src/config.ts and nowhere else in src and demo.',
  scope: (path) =>
    /^(src|demo)\//.test(path) && isCode(path) && !isTestPath(path) && path !== configPath,
  atLeast: 40,
  find: eachFile(readsEnvironment),
  violations: [
    { 'src/kernel/observability/log.ts': 'const level = process.env.LOG_LEVEL;' },
    { 'src/main.ts': "const level = process['env'];" },
    { 'src/store/db.ts': 'const { env } = process;' },
    { 'src/store/db.ts': "import { env } from 'node:process';" },
    { 'demo/main.ts': 'const copy = { ...globalThis.process.env };' },
  ],
  nearMisses: [
    { 'src/config.ts': 'export const port = process.env.RADAR_PORT;' },
    {
      'src/store/db.ts': 'const env = { PGDATA: folder }; spawn(file, { env }); process.envelope;',
    },
  ],
};

const configPath = 'src/config.ts';

function machineUses({ path, visits, lineOf }: Source): Finding[] {
  const declared = new Set(visits.flatMap(({ node, field }) => declaredBy(node, field)));
  return visits.flatMap(({ node }) => {
    const what = machineMember(node) ?? machineCall(node, declared);
    return what ? [{ path, line: lineOf(node.start), what }] : [];
  });
}

function machineMember(node: Node): string | null {
  const member = memberOf(node);
  if (member === null) return null;
  const object = childOf(node, 'object');
  const owner = nameOf(object) ?? memberOf(object) ?? '';
  const isModule = owner === 'http' || owner === 'https';
  if (isModule && /^(request|get|Agent)$/.test(member)) return `${owner}.${member}`;
  return members[owner]?.test(member) ? `${owner}.${member}` : null;
}

function machineCall(node: Node, declared: ReadonlySet<string>): string | null {
  if (node.type !== 'CallExpression' && node.type !== 'NewExpression') return null;
  const callee = nameOf(childOf(node, 'callee'));
  if (callee === null) return null;
  const isNow = childrenOf(node, 'arguments').length === 0 || node.type === 'CallExpression';
  if (callee === 'Date' && isNow) return 'the machine’s own time';
  return globals.includes(callee) && !declared.has(callee) ? `${callee}()` : null;
}

/** Names that the file declares itself. */
function declaredBy(node: Node, field: string): string[] {
  const isParameter = field === 'params' && node.type === 'Identifier';
  const identifier = isParameter ? node : childOf(node, 'id');
  const isDeclaration = /^(VariableDeclarator|Function|Class)/.test(node.type) || isParameter;
  const name = isDeclaration ? nameOf(identifier) : null;
  return name ? [name] : [];
}

function machineImports({ path, visits, lineOf }: Source): Finding[] {
  return visits.flatMap(({ node }) => {
    if (node.type !== 'ImportDeclaration' || node.importKind === 'type') return [];
    const module = `${childOf(node, 'source')?.value}`;
    const forbidden = modules[module];
    if (!forbidden) return [];
    const names = childrenOf(node, 'specifiers')
      .filter((specifier) => specifier.importKind !== 'type')
      .map((specifier) => nameOf(childOf(specifier, 'imported')))
      .filter((name) => (name ? forbidden.test(name) : forbidden.test('x')));
    const isForbidden = names.length > 0;
    return isForbidden ? [{ path, line: lineOf(node.start), what: `imports from ${module}` }] : [];
  });
}

function readsEnvironment({ path, visits, lineOf }: Source): Finding[] {
  return visits.flatMap(({ node, parent }) => {
    const line = lineOf(node.start);
    const object = childOf(node, 'object');
    if (memberOf(node) === 'env' && (nameOf(object) ?? memberOf(object)) === 'process') {
      return [{ path, line, what: 'reads process.env' }];
    }
    if (node.type === 'ImportSpecifier' && nameOf(childOf(node, 'imported')) === 'env') {
      const isProcess = childOf(parent, 'source')?.value === 'node:process';
      return isProcess ? [{ path, line, what: 'imports env' }] : [];
    }
    if (node.type !== 'VariableDeclarator' || nameOf(childOf(node, 'init')) !== 'process')
      return [];
    const keys = childrenOf(childOf(node, 'id'), 'properties').map((property) =>
      nameOf(childOf(property, 'key')),
    );
    return keys.includes('env') ? [{ path, line, what: 'takes env from process' }] : [];
  });
}

export const worldRules: readonly Rule[] = [worldIsAParameter, onlyConfigReadsTheEnvironment];
