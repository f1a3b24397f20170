// The layers: kernel at the bottom, store above it, then modules, then entry points. The two
// products never import each other.
import { isPackage, isProductionCode, packageOf, placeOf, targetOf } from '../place.ts';
import { eachFile, eachImport, type Rule } from '../rule.ts';

/** Small libraries that the kernel may import, besides Node itself. */
const kernelLibraries = [
  '@modelcontextprotocol/server',
  '@zxcvbn-ts/core',
  '@zxcvbn-ts/language-common',
  'diff',
  'html-entities',
  'http-cache-semantics',
  'ioredis',
  'lru-cache',
  'nodemailer',
  'pino',
  'prom-client',
  'qr',
  'robots-parser',
  'temporal-polyfill',
  'undici',
  'zod',
];

/** Permitted imports from one module to another. Other modules share only `store` rows and jobs. */
const allowedImports: readonly (readonly [from: string, to: RegExp])[] = [
  ['gateway/calls', /^src\/gateway\/(keys|wallet|capabilities|relay)\//],
  ['radar/stories', /^src\/radar\/publication\//],
  ['radar/ranking', /^src\/radar\/publication\//],
  ['radar/subscriptions', /^src\/(notifications|radar\/publication)\//],
  ['alerts', /^src\/notifications\//],
];

const everyFileHasAPlace: Rule = {
  name: 'every file belongs to a module',
  description:
    'A file of src is in the kernel, the store, a module or an entry point, or main or config.',
  scope: (path) => path.startsWith('src/'),
  atLeast: 40,
  find: eachFile(({ path }) =>
    placeOf(path).kind === 'nowhere'
      ? [{ path, line: 1, what: 'belongs to no module, entry point, kernel or store' }]
      : [],
  ),
  violations: [
    { 'src/server.ts': '' },
    { 'src/radar/digest/write.ts': '' },
    { 'src/radar/item.ts': '' },
    { 'src/gateway/pages/a.ts': '' },
  ],
  nearMisses: [{ 'src/main.ts': '', 'src/radar/ranking/heat.ts': '', 'src/cli/serve.ts': '' }],
};

const kernelIsTheLowestLayer: Rule = {
  name: 'the kernel imports nothing above it',
  description: 'The kernel imports only node:*, itself and the small libraries listed here.',
  scope: (path) => isProductionCode(path) && placeOf(path).kind === 'kernel',
  atLeast: 12,
  find: eachImport((path, specifier) => {
    if (specifier.startsWith('node:')) return null;
    if (isPackage(specifier)) {
      const name = packageOf(specifier);
      return kernelLibraries.includes(name) ? null : `the kernel imports ${name}`;
    }
    const target = targetOf(path, specifier);
    return placeOf(target).kind === 'kernel' ? null : `the kernel imports ${target}`;
  }),
  violations: [
    { 'src/kernel/url.ts': "import { a } from '../radar/sources/entry.ts';" },
    { 'src/kernel/url.ts': "import type { Db } from '../store/db.ts';" },
    { 'src/kernel/net/net.ts': "const { a } = await import('../../store/db.ts');" },
    { 'src/kernel/url.ts': "import { Kysely } from 'kysely';" },
    { 'src/kernel/url.ts': "export { parse } from 'fastify';" },
  ],
  nearMisses: [
    {
      'src/kernel/net/net.ts':
        "import { a } from '../clock.ts'; import { lookup } from 'node:dns';",
    },
    { 'src/kernel/log.ts': "import { pino } from 'pino';" },
    { 'src/kernel/log.test.ts': "import { expect } from 'vitest';" },
  ],
};

const storeIsAboveTheKernel: Rule = {
  name: 'the store imports only the kernel',
  description:
    'The store imports itself, the kernel and libraries; no module, entry point or config.ts.',
  scope: (path) => isProductionCode(path) && placeOf(path).kind === 'store',
  atLeast: 8,
  find: eachImport((path, specifier) => {
    if (isPackage(specifier)) return null;
    const target = targetOf(path, specifier);
    const { kind } = placeOf(target);
    return kind === 'kernel' || kind === 'store' ? null : `the store imports ${target}`;
  }),
  violations: [
    { 'src/store/items.ts': "import type { PublicItem } from '../radar/publication/item.ts';" },
    { 'src/store/db.ts': "import { config } from '../config.ts';" },
  ],
  nearMisses: [{ 'src/store/db.ts': "import { Pool } from 'pg'; import '../kernel/net/net.ts';" }],
};

const productsAreIndependent: Rule = {
  name: 'the products do not import each other',
  description: 'The radar never imports the gateway, nor the reverse.',
  scope: (path) => isProductionCode(path) && productOf(path) !== null,
  atLeast: 20,
  find: eachImport((path, specifier) => {
    const target = targetOf(path, specifier);
    const product = productOf(target);
    return product === null || product === productOf(path)
      ? null
      : `${productOf(path)} imports ${target}`;
  }),
  violations: [
    { 'src/radar/ranking/heat.ts': "import type { Key } from '../../gateway/keys/key.ts';" },
    { 'src/gateway/api/problem.ts': "export { problem } from '../../radar/api/problem.ts';" },
    { 'src/radar/api/a.ts': "const path = import.meta.resolve('../../gateway/calls/call.ts');" },
  ],
  nearMisses: [
    {
      'src/radar/api/items.ts': "import '../publication/item.ts'; import '../../kernel/fault.ts';",
    },
    { 'src/cli/serve.ts': "import '../radar/ranking/heat.ts'; import '../gateway/keys/key.ts';" },
  ],
};

const modulesAreIndependent: Rule = {
  name: 'a module does not import another module',
  description:
    'A module imports itself, store, kernel, libraries and, in the radar, radar/language; other ' +
    'modules only as listed here.',
  scope: (path) => isProductionCode(path) && placeOf(path).kind === 'module',
  atLeast: 12,
  find: eachImport((path, specifier) => {
    const place = placeOf(path);
    if (isPackage(specifier) || place.kind !== 'module') return null;
    const target = targetOf(path, specifier);
    const targetPlace = placeOf(target);
    if (targetPlace.kind === 'kernel' || targetPlace.kind === 'store') return null;
    if (targetPlace.kind === 'module' && targetPlace.name === place.name) return null;
    if (place.name.startsWith('radar/') && target.startsWith('src/radar/language/')) return null;
    if (allowedImports.some(([from, to]) => from === place.name && to.test(target))) return null;
    return `${place.name} imports ${target}`;
  }),
  violations: [
    { 'src/radar/ranking/heat.ts': "import type { Story } from '../stories/story.ts';" },
    { 'src/radar/reports/daily.ts': "import { item } from '../publication/item.ts';" },
    { 'src/radar/publication/snapshot.ts': "import { routes } from '../api/routes.ts';" },
    { 'src/gateway/keys/key.ts': "import { reserve } from '../wallet/reserve.ts';" },
    { 'src/radar/sources/read.ts': "import { config } from '../../config.ts';" },
    { 'src/radar/sources/read.ts': "import { now } from '../../../demo/clock.ts';" },
  ],
  nearMisses: [
    { 'src/gateway/calls/call.ts': "import { reserve } from '../wallet/reserve.ts';" },
    { 'src/radar/stories/story.ts': "import { a } from '../language/read-figures.ts';" },
    {
      'src/radar/stories/a.ts':
        "import { publishStories } from '../publication/publish-stories.ts';",
    },
    {
      'src/radar/ranking/heat.ts':
        "import { rows } from '../../store/stories.ts'; import './rank.ts';",
    },
  ],
};

const modulesHaveNoProtocol: Rule = {
  name: 'a module has no protocol',
  description: 'Modules neither serve HTTP nor parse a command line: entry points do.',
  scope: (path) => isProductionCode(path) && placeOf(path).kind === 'module',
  atLeast: 40,
  find: eachImport((_path, specifier) => {
    const isEntryPointLibrary =
      /^(fastify|@fastify\/.+|node:https?|node:http2|commander|negotiator|proxy-addr)$/;
    return isEntryPointLibrary.test(packageOf(specifier)) ? `a module imports ${specifier}` : null;
  }),
  violations: [
    { 'src/radar/publication/page.ts': "import type { FastifyReply } from 'fastify';" },
    { 'src/gateway/wallet/reserve.ts': "import { IncomingMessage } from 'node:http';" },
  ],
  nearMisses: [
    { 'src/radar/publication/page.ts': "import { z } from 'zod'; import './http-date.ts';" },
    { 'src/radar/api/items.ts': "import type { FastifyReply } from 'fastify';" },
  ],
};

const entryPointsImportModules: Rule = {
  name: 'entry points import modules and the kernel',
  description:
    'An entry point imports itself, modules and the kernel; no store or other entry point.',
  scope: (path) => isProductionCode(path) && placeOf(path).kind === 'entry_point',
  atLeast: 8,
  find: eachImport((path, specifier, { isTypeOnly }) => {
    const place = placeOf(path);
    if (isPackage(specifier) || place.kind !== 'entry_point') return null;
    const target = targetOf(path, specifier);
    const targetPlace = placeOf(target);
    if (targetPlace.kind === 'kernel' || targetPlace.kind === 'module') return null;
    if (targetPlace.kind === 'entry_point' && targetPlace.name === place.name) return null;
    if (targetPlace.kind === 'config' && isTypeOnly) return null;
    return `${place.name} imports ${target}`;
  }),
  violations: [
    { 'src/radar/api/items.ts': "import { readItems } from '../../store/items.ts';" },
    { 'src/jobs/handlers.ts': "import type { Rows } from '../store/schema.ts';" },
    { 'src/cli/source.ts': "export { add } from '../store/sources.ts';" },
    { 'src/radar/pages/home.ts': "import { etag } from '../api/etag.ts';" },
    { 'src/cli/serve.ts': "import { config } from '../config.ts';" },
    { 'src/cli/serve.ts': "const main = await import('../main.ts');" },
  ],
  nearMisses: [
    { 'src/radar/api/items.ts': "import '../publication/snapshot.ts'; import './problem.ts';" },
    { 'src/cli/serve.ts': "import type { Config } from '../config.ts'; import 'commander';" },
  ],
};

const publicReadsThroughPublication: Rule = {
  name: 'all public output is read through publication',
  description:
    'The radar’s api and pages import only publication, which alone applies withdrawals.',
  scope: (path) => isProductionCode(path) && /^src\/radar\/(api|pages)\//.test(path),
  atLeast: 4,
  find: eachImport((path, specifier) => {
    const target = targetOf(path, specifier);
    const place = placeOf(target);
    return place.kind === 'module' && place.name !== 'radar/publication'
      ? `a public output imports ${target}`
      : null;
  }),
  violations: [
    { 'src/radar/api/hot.ts': "import { rank } from '../ranking/rank.ts';" },
    { 'src/radar/pages/story.ts': "import type { Story } from '../stories/story.ts';" },
  ],
  nearMisses: [
    { 'src/radar/api/items.ts': "import { page } from '../publication/page.ts';" },
    { 'src/radar/admin/sources/sources.ts': "import { add } from '../sources/add.ts';" },
  ],
};

const packagesStandAlone: Rule = {
  name: 'packages and examples do not depend on the application',
  description: 'A published package or an example imports nothing of src, demo or tests.',
  scope: (path) => /^(packages|examples)\//.test(path),
  atLeast: 0,
  find: eachImport((path, specifier) => {
    const target = targetOf(path, specifier);
    return /^(src|demo|tests|bench)\//.test(target) ? `imports ${target}` : null;
  }),
  violations: [
    { 'packages/sdk/src/call.ts': "import { Fault } from '../../../src/kernel/fault.ts';" },
  ],
  nearMisses: [{ 'packages/sdk/src/call.ts': "import { Fault } from './fault.ts';" }],
};

function productOf(path: string): 'radar' | 'gateway' | null {
  const place = placeOf(path);
  return place.kind === 'module' || place.kind === 'entry_point' ? place.product : null;
}

export const layerRules: readonly Rule[] = [
  everyFileHasAPlace,
  kernelIsTheLowestLayer,
  storeIsAboveTheKernel,
  productsAreIndependent,
  modulesAreIndependent,
  modulesHaveNoProtocol,
  entryPointsImportModules,
  publicReadsThroughPublication,
  packagesStandAlone,
];
