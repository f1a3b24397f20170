// The only file that reads the environment and `radar.config.json`. It returns one validated value.
// Settings that differ between machines are variables; all others are in the file.
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { z } from 'zod';
import { accountsSchema } from './gateway/accounts/accounts-config.ts';
import { providerCostsSchema, providersSchema } from './gateway/capabilities/providers-config.ts';
import { DEFAULT_MAX_KEYS } from './gateway/keys/key-input.ts';
import { relaySchema } from './gateway/relay/relay-config.ts';
import { topUpsSchema } from './gateway/wallet/top-ups/top-ups-config.ts';
import { type ForwardingHeader, forwardingHeaders } from './kernel/client-address/forwarded.ts';
import { messageFor } from './kernel/errors/describe-issue.ts';
import { Fault } from './kernel/errors/fault.ts';
import { formatCny } from './kernel/money.ts';
import { smtpSchema } from './kernel/net/smtp.ts';
import { parseWireTime } from './kernel/time/calendar.ts';
import { type ModelSettings, modelSchema } from './radar/model/model-config.ts';

const projectFolder = resolve(import.meta.dirname, '..');
/**
 * The folder of the configuration and the data: the repository of a clone, or the current folder
 * for an installed package.
 */
const workFolder = import.meta.filename.endsWith('.js') ? process.cwd() : projectFolder;

const port = z.coerce.number().int().min(0).max(65_535);
const absoluteUrl = z
  .url({ protocol: /^https?$/ })
  .transform((url) => url.replace(/\/+$/, ''))
  .optional();

/** `RADAR_NOW`: an RFC 3339 instant as epoch milliseconds. */
const instant = z.string().transform((text, context) => {
  const at = parseWireTime(text);
  if (at === null) context.addIssue({ code: 'custom', message: 'must be an RFC 3339 time' });
  return at ?? 0;
});

/** RFC 9116, 2.5.3: web addresses are https. */
const contactUri = z.url({
  protocol: /^(mailto|https|tel)$/,
  error: 'must be a mailto:, https: or tel: address',
});

/** Addresses or CIDR ranges, separated by commas or white space. */
const networks = z.string().transform((text) => text.split(/[\s,]+/).filter(Boolean));

const postgresUrl = z.url({
  protocol: /^postgres(ql)?$/,
  error: 'must be a postgres:// address, such as postgres://user@host/database',
});

const environmentSchema = z.object({
  RADAR_PORT: port.default(4000),
  GATEWAY_PORT: port.default(4100),
  RELAY_PORT: port.default(4200),
  HOST: z.string().min(1).default('127.0.0.1'),
  RADAR_URL: absoluteUrl,
  GATEWAY_URL: absoluteUrl,
  RELAY_URL: absoluteUrl,
  DATA_DIR: z.string().min(1).default('data'),
  DATABASE_URL: postgresUrl.optional(),
  DATABASE_DIRECT_URL: postgresUrl.optional(),
  DATABASE_READ_URL: postgresUrl.optional(),
  REDIS_URL: z
    .url({ protocol: /^rediss?$/, error: 'must be a redis:// or rediss:// address' })
    .optional(),
  BACKUP_PASSPHRASE: z.string().min(1).optional(),
  TRUST_PROXY: networks.default([]),
  TRUST_PROXY_HEADER: z
    .string()
    .toLowerCase()
    .pipe(z.enum(forwardingHeaders))
    .default('x-forwarded-for'),
  RADAR_LANGUAGE: z.enum(['en', 'zh-CN']).default('en'),
  MODEL_URL: absoluteUrl,
  MODEL_KEY: z.string().min(1).optional(),
  MODEL_NAME: z.string().min(1).max(200).optional(),
  EMBEDDING_MODEL: z.string().min(1).max(200).optional(),
  RADAR_NOW: instant.optional(),
  RADAR_CONFIG: z.string().min(1).default('radar.config.json'),
});

const months = (min: number) => z.int().min(min).max(1_200).optional();

const retentionSchema = z
  .strictObject({
    files: z
      .string()
      .min(1)
      .optional()
      .describe('Where months are exported: a folder, or s3 for the store of providers.media'),
    ledgerMonths: months(3).describe(
      'Months that calls and their entries are kept; older months are exported, so files is needed',
    ),
    fetchMonths: months(2).describe(
      'Months that fetches of sources are kept; older months are exported when files is set',
    ),
    publicationLogMonths: months(2).describe(
      'Months that the publication log is kept; older months are exported when files is set',
    ),
    selectedChangesMonths: months(2).describe(
      'Months that superseded selected changes are kept; the newest change of an item always stays',
    ),
  })
  .refine((value) => value.ledgerMonths === undefined || value.files !== undefined, {
    path: ['files'],
    error: 'is needed with ledgerMonths: a full audit reads the exported months',
  });

const fileSchema = z.strictObject({
  $schema: z.string().optional(),
  name: z.string().min(1).default('Content Radar').describe('Name of the radar on its pages'),
  aihotLinks: z
    .boolean()
    .default(true)
    .describe('Repeat links.html as links.aihot, the name that existing clients read'),
  logLevel: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info'),
  network: z
    .strictObject({
      privateHosts: z
        .array(z.string())
        .default([])
        .describe(
          'Private hosts that are allowed, also for customers: name, address, host:port or CIDR',
        ),
      politenessMs: z
        .int()
        .min(0)
        .default(1000)
        .describe('Gap between two requests to one host, milliseconds; 0 switches it off'),
      perHostConcurrency: z.int().min(1).max(16).default(2),
      proxy: z
        .string()
        .optional()
        .describe('Proxy of all outgoing requests: http://host:port or socks5h://host:port'),
      proxies: z
        .record(z.string().regex(/^(?!none$)[a-z0-9]+(-[a-z0-9]+)*$/), z.string())
        .default({})
        .describe('Proxies by name, which a source can use'),
      resolve: z
        .enum(['here', 'there'])
        .default('here')
        .describe('Place of name resolution with a proxy: in this process, or in the proxy'),
    })
    .prefault({}),
  limits: z
    .strictObject({
      requestsPerSecond: z
        .number()
        .min(0)
        .default(50)
        .describe(
          'Requests per second, per client address on public API and console pages; 0: no limit',
        ),
      burst: z.int().min(1).default(500).describe('Requests at once, per client address'),
    })
    .prefault({}),
  blocked: z
    .strictObject({
      networks: z
        .array(z.string())
        .default([])
        .describe('Client addresses or CIDR that get 403 on every port'),
      agents: z.array(z.string().min(1)).default([]).describe('Parts of User-Agents that get 403'),
    })
    .prefault({}),
  admin: z
    .strictObject({
      networks: z
        .array(z.string())
        .default([])
        .describe('Networks that may open /admin on both ports; empty: every network'),
      idleMinutes: z
        .int()
        .min(0)
        .max(720)
        .default(60)
        .describe('A session of an operator ends after this time without a request; 0: no limit'),
      port: z
        .int()
        .min(0)
        .max(65_535)
        .optional()
        .describe(
          'Port of the radar’s admin area; the gateway’s admin area has the next port. The ' +
            'public ports then have no /admin',
        ),
      radarUrl: absoluteUrl.describe('Address of the radar’s admin area behind a proxy'),
      gatewayUrl: absoluteUrl.describe('Address of the gateway’s admin area behind a proxy'),
    })
    .prefault({}),
  metrics: z
    .strictObject({
      allow: z.array(z.string()).default([]).describe('Networks that may read /metrics'),
      token: z.string().min(16).optional().describe('A bearer token that may read /metrics'),
      port: z
        .int()
        .min(0)
        .max(65_535)
        .optional()
        .describe('Port of the metrics; then the public ports have no /metrics'),
    })
    .prefault({}),
  securityTxt: z
    .strictObject({
      contact: z
        .array(contactUri)
        .min(1)
        .describe('Where to report a vulnerability: mailto:, https: or tel: addresses'),
      expires: instant.describe('RFC 3339 time after which the file is no longer served'),
      encryption: z.url().optional().describe('Address of an OpenPGP key'),
      acknowledgments: z.url({ protocol: /^https$/ }).optional(),
      preferredLanguages: z.array(z.string().regex(/^[A-Za-z]{2,3}(-[A-Za-z0-9]+)*$/)).optional(),
      canonical: z.array(z.url({ protocol: /^https$/ })).optional(),
      policy: z.url({ protocol: /^https$/ }).optional(),
      hiring: z.url({ protocol: /^https$/ }).optional(),
    })
    .optional()
    .describe('Content of /.well-known/security.txt (RFC 9116) on all ports except metrics.port'),
  accounts: accountsSchema.prefault({}),
  smtp: smtpSchema
    .optional()
    .describe('Mail server; without it no address is confirmed and no password is reset'),
  gateway: z
    .strictObject({
      requestsPerSecond: z
        .number()
        .min(0.01)
        .max(100_000)
        .default(50)
        .describe('Requests per second, per API key'),
      burst: z.int().min(1).max(1_000_000).default(1000).describe('Requests at once, per API key'),
      callsPerDay: z
        .int()
        .min(0)
        .max(2_000_000_000)
        .default(100_000)
        .describe('Per account and Shanghai day'),
      callsPerMonth: z
        .int()
        .min(0)
        .max(2_000_000_000)
        .default(2_000_000)
        .describe('Per account and Shanghai month'),
      keysPerAccount: z
        .int()
        .min(1)
        .max(100_000)
        .default(DEFAULT_MAX_KEYS)
        .describe('Active API keys of an account, live and test keys each'),
      jobMinutes: z
        .int()
        .min(1)
        .max(1440)
        .default(60)
        .describe('Minutes after which an unfinished job expires'),
    })
    .prefault({})
    .describe('Call limits of the capabilities'),
  providers: providersSchema.prefault({}).describe('Providers of the gateway’s capabilities'),
  providerCosts: providerCostsSchema
    .prefault({})
    .describe('Costs of providers, for the margins under /admin/revenue'),
  topUps: topUpsSchema.prefault({}).describe('Hosted checkout for payments, and their amounts'),
  relay: relaySchema.prefault({}).describe('Upstreams, models and prices of the chat relay'),
  model: modelSchema.prefault({}).describe('Requests to the model of MODEL_URL'),
  alerts: z
    .strictObject({
      heartbeat: z
        .url({ protocol: /^https?$/ })
        .optional()
        .describe('Address of a monitor: requested every minute while no alert is raised'),
    })
    .prefault({})
    .describe(
      'Alerts about this installation; radar subscription add --kind alerts adds a receiver',
    ),
  retention: retentionSchema
    .prefault({})
    .describe('Months that the database keeps; absent settings keep every month'),
  editorial: z.string().default('editorial').describe('Folder of the radar’s editorial rules'),
});

type FileConfig = z.infer<typeof fileSchema>;

export type Config = {
  readonly host: string;
  readonly radarPort: number;
  /** Absolute, without a trailing slash; null: derived from `host` and the opened port. */
  readonly radarUrl: string | null;
  readonly gatewayPort: number;
  /** Like `radarUrl`. */
  readonly gatewayUrl: string | null;
  readonly relayPort: number;
  /** Like `radarUrl`. */
  readonly relayUrl: string | null;
  /** Redis for rate limits that several nodes share; null: each process counts alone. */
  readonly redisUrl: string | null;
  readonly dataDir: string;
  readonly databaseUrl: string | null;
  /** The server itself, when `databaseUrl` is a pooler that shares sessions. */
  readonly databaseDirectUrl: string | null;
  /** A replica; null: the primary serves all reads. */
  readonly databaseReadUrl: string | null;
  /** Encrypts and decrypts backups; null: the command prompts for it. */
  readonly backupPassphrase: string | null;
  readonly trustProxy: readonly string[];
  /** The only header that is read for a client's address. */
  readonly trustProxyHeader: ForwardingHeader;
  readonly language: 'en' | 'zh-CN';
  /** The model of the enrichment; null without a model. */
  readonly model: ModelSettings | null;
  /** The start of the World's clock, epoch ms; null: the real time. */
  readonly now: number | null;
  /** IANA name of the time zone that schedules use by default. */
  readonly zone: string;
  /** Values that the environment or the file sets; the setup page cannot change them. */
  readonly isFixed: {
    readonly language: boolean;
    readonly name: boolean;
    readonly model: boolean;
    readonly editorial: boolean;
  };
  /** Whether the file sets `logLevel`. */
  readonly hasLogLevel: boolean;
  readonly file: FileConfig;
};

/** The JSON schema in `radar.config.schema.json`. */
export function configJsonSchema(): object {
  return { ...z.toJSONSchema(fileSchema, { io: 'input' }), title: 'radar.config.json' };
}

/** Overrides from the command line take precedence over the environment. */
export function readConfig(
  overrides: { readonly now?: string; readonly dataDir?: string } = {},
  environment: NodeJS.ProcessEnv = process.env,
): Config {
  const mergedEnvironment = {
    ...environment,
    ...(overrides.now !== undefined && { RADAR_NOW: overrides.now }),
    ...(overrides.dataDir !== undefined && { DATA_DIR: overrides.dataDir }),
  };
  // An empty variable counts as unset, because shells and compose files produce empty variables.
  const setValues = Object.fromEntries(
    Object.entries(mergedEnvironment).filter(([, value]) => value !== ''),
  );
  const env = parseWithSchema(environmentSchema, setValues, 'environment variable');
  const configPath = resolve(workFolder, env.RADAR_CONFIG);
  const raw = readJson(configPath, 'RADAR_CONFIG' in setValues);
  const file = parseWithSchema(fileSchema, raw, configPath);
  refuseSharedPorts(env, file, configPath);
  refuseLoneDatabaseUrls(env);
  const hasOwnEditorial = Object.hasOwn(Object(raw), 'editorial');
  // An installed package has its own rules, such as editorial/general, outside of the work folder.
  const folders = [hasOwnEditorial ? workFolder : projectFolder, projectFolder];
  const paths = folders.map((folder) => resolve(folder, file.editorial));
  const editorial = paths.find((path) => existsSync(path));
  if (editorial === undefined) {
    throw new Fault('invalid_request', `${configPath}: editorial: there is no folder ${paths[0]}`);
  }
  return {
    host: env.HOST,
    radarPort: env.RADAR_PORT,
    radarUrl: env.RADAR_URL ?? null,
    gatewayPort: env.GATEWAY_PORT,
    gatewayUrl: env.GATEWAY_URL ?? null,
    relayPort: env.RELAY_PORT,
    relayUrl: env.RELAY_URL ?? null,
    redisUrl: env.REDIS_URL ?? null,
    dataDir: resolve('DATA_DIR' in setValues ? process.cwd() : workFolder, env.DATA_DIR),
    databaseUrl: env.DATABASE_URL ?? null,
    databaseDirectUrl: env.DATABASE_DIRECT_URL ?? null,
    databaseReadUrl: env.DATABASE_READ_URL ?? null,
    backupPassphrase: env.BACKUP_PASSPHRASE ?? null,
    trustProxy: env.TRUST_PROXY,
    trustProxyHeader: env.TRUST_PROXY_HEADER,
    language: env.RADAR_LANGUAGE,
    model: readModelSettings(env, file.model),
    now: env.RADAR_NOW ?? null,
    zone: 'Asia/Shanghai',
    isFixed: {
      language: 'RADAR_LANGUAGE' in setValues,
      name: Object.hasOwn(Object(raw), 'name'),
      model: 'MODEL_URL' in setValues,
      editorial: hasOwnEditorial,
    },
    hasLogLevel: Object.hasOwn(Object(raw), 'logLevel'),
    file: { ...file, editorial },
  };
}

/** `DATABASE_DIRECT_URL` and `DATABASE_READ_URL` have no meaning without `DATABASE_URL`. */
function refuseLoneDatabaseUrls(env: z.output<typeof environmentSchema>): void {
  if (env.DATABASE_URL !== undefined) return;
  const names = (['DATABASE_DIRECT_URL', 'DATABASE_READ_URL'] as const).filter(
    (name) => env[name] !== undefined,
  );
  if (names.length === 0) return;
  throw new Fault(
    'invalid_request',
    `${names.join(' and ')} ${names.length === 1 ? 'is' : 'are'} set without DATABASE_URL. ` +
      'Set DATABASE_URL to the address of the primary server or of its pooler.',
  );
}

/** Throws a Fault that names every pair of settings with the same port. */
function refuseSharedPorts(
  env: z.output<typeof environmentSchema>,
  { admin, metrics }: FileConfig,
  path: string,
): void {
  const gatewayAdminPort =
    admin.port === undefined || admin.port === 0 ? undefined : admin.port + 1;
  const ports = Object.entries({
    RADAR_PORT: env.RADAR_PORT,
    GATEWAY_PORT: env.GATEWAY_PORT,
    RELAY_PORT: env.RELAY_PORT,
    'admin.port': admin.port,
    'admin.port + 1': gatewayAdminPort,
    'metrics.port': metrics.port,
  }).filter(([, number]) => number !== undefined && number !== 0);
  const problems = ports.flatMap(([name, number], index) =>
    ports
      .slice(0, index)
      // The public ports may be equal, because each server may run on its own machine.
      .filter(([, other]) => other === number && name.includes('.'))
      .map(([other]) => `${name} and ${other} are both ${number}`),
  );
  if (gatewayAdminPort === 65_536)
    problems.push('admin.port: the gateway’s admin area needs the next port');
  if (problems.length === 0) return;
  throw new Fault('invalid_request', `${path}: ${problems.join('; ')}`);
}

function readModelSettings(
  env: z.output<typeof environmentSchema>,
  file: FileConfig['model'],
): ModelSettings | null {
  const { MODEL_URL: url, MODEL_NAME: name = null, EMBEDDING_MODEL: embeddingModel = null } = env;
  if (url === undefined) {
    if (name === null && embeddingModel === null) return null;
    const variable = name === null ? 'EMBEDDING_MODEL' : 'MODEL_NAME';
    throw new Fault(
      'invalid_request',
      `${variable} is set: MODEL_URL must be the address of its server.`,
    );
  }
  if (name === null && embeddingModel === null && Object.keys(file.steps).length === 0) {
    throw new Fault('invalid_request', 'MODEL_URL is set: MODEL_NAME must name the model.');
  }
  return { url, key: env.MODEL_KEY ?? null, name, embeddingModel, file };
}

export type ConfigSetting = {
  readonly name: string;
  /** As text; null: not set. */
  readonly value: string | null;
  /** The value is secret, so the list contains an empty text instead. */
  readonly isSecret: boolean;
  readonly from: 'environment' | 'file' | 'default';
};

const secretVariables: readonly string[] = [
  'DATABASE_URL',
  'DATABASE_DIRECT_URL',
  'DATABASE_READ_URL',
  'REDIS_URL',
  'MODEL_KEY',
  'BACKUP_PASSPHRASE',
];
/**
 * Names with `tokens` are not secret, because they limit the tokens of a model. Addresses of
 * proxies can contain passwords.
 */
const secretKeys = /token(?!s)|secret|password|key$|keys$|credential|^network\.prox/i;

/** Every setting with its value and the origin of the value, without secrets. */
export function listSettings(
  environment: NodeJS.ProcessEnv = process.env,
): readonly ConfigSetting[] {
  const setValues = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== ''),
  );
  const env: Readonly<Record<string, unknown>> = environmentSchema.parse(setValues);
  const variables = Object.keys(environmentSchema.shape).map((name) =>
    describeSetting(
      name,
      setValues[name] ?? env[name],
      secretVariables.includes(name),
      name in setValues ? 'environment' : null,
    ),
  );
  const path = resolve(workFolder, String(env.RADAR_CONFIG));
  const valuesInFile = new Map(listLeafValues(readJson(path, false), ''));
  const effectiveFile = fileSchema.parse(
    Object.fromEntries(Object.entries(readJson(path, false) ?? {})),
  );
  const fileSettings = listLeafValues(effectiveFile, '').map(([name, value]) =>
    describeSetting(name, value, secretKeys.test(name), valuesInFile.has(name) ? 'file' : null),
  );
  return [...variables, ...fileSettings];
}

function describeSetting(
  name: string,
  value: unknown,
  isSecret: boolean,
  from: 'environment' | 'file' | null,
): ConfigSetting {
  const text = value === undefined || value === null ? null : formatSettingValue(value);
  return { name, value: isSecret && text !== null ? '' : text, isSecret, from: from ?? 'default' };
}

/** Amounts are in CNY, and lists are JSON. */
function formatSettingValue(value: unknown): string {
  if (typeof value === 'bigint') return formatCny(value);
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Pairs such as `limits.burst` and 500, one for every value that is not an object. */
function listLeafValues(value: unknown, path: string): readonly (readonly [string, unknown])[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [[path, value]];
  return Object.entries(value).flatMap(([name, inner]) =>
    listLeafValues(inner, path === '' ? name : `${path}.${name}`),
  );
}

function readJson(path: string, isRequired: boolean): unknown {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    if (!isRequired) return {};
    throw new Fault('invalid_request', `The configuration file ${path} cannot be read.`, { cause });
  }
  try {
    return JSON.parse(text);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : '';
    throw new Fault('invalid_request', `${path} is not JSON: ${reason}`, { cause });
  }
}

function parseWithSchema<S extends z.ZodType>(
  schema: S,
  value: unknown,
  origin: string,
): z.output<S> {
  const result = schema.safeParse(value, { reportInput: true });
  if (result.success) return result.data;
  const lines = result.error.issues.map((issue) => {
    const fieldPath = issue.path.join('.');
    if (issue.code === 'unrecognized_keys') {
      const keyPaths = issue.keys.map((key) => (fieldPath ? `${fieldPath}.${key}` : key));
      return `unknown key ${keyPaths.join(', ')}`;
    }
    return `${fieldPath}: ${messageFor(issue)}`;
  });
  throw new Fault('invalid_request', `${origin}: ${lines.join('; ')}`);
}
