// `npm run demo` runs the real radar on a temporary data folder. The radar fetches news of a
// fictitious industry from eighteen servers on loopback. First the past is replayed, then the clock
// continues.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import { serve } from '../src/app/serve.ts';
import { type Config, readConfig } from '../src/config.ts';
import { providersSchema } from '../src/gateway/capabilities/providers-config.ts';
import { relaySchema } from '../src/gateway/relay/relay-config.ts';
import { issueVoucher, topUp } from '../src/gateway/wallet/credits/post-transfer.ts';
import { topUpsSchema } from '../src/gateway/wallet/top-ups/top-ups-config.ts';
import { timedIds } from '../src/kernel/crypto/ids.ts';
import { systemRandom } from '../src/kernel/crypto/random.ts';
import { requirePresent } from '../src/kernel/errors/assert.ts';
import { Fault, messageOf } from '../src/kernel/errors/fault.ts';
import { makeFolder } from '../src/kernel/files/make-folder.ts';
import { isProcessAlive } from '../src/kernel/files/process.ts';
import { parseCny } from '../src/kernel/money.ts';
import { openNet } from '../src/kernel/net/open-net.ts';
import { openRobots } from '../src/kernel/net/robots.ts';
import { openSmtp, smtpSchema } from '../src/kernel/net/smtp.ts';
import { openLog } from '../src/kernel/observability/log.ts';
import type { Db } from '../src/kernel/ports/db.ts';
import { parseWireTime } from '../src/kernel/time/calendar.ts';
import { type Clock, replayClock, runningClock } from '../src/kernel/time/clock.ts';
import { DAY_MS } from '../src/kernel/time/durations.ts';
import type { World } from '../src/kernel/world.ts';
import { addSource } from '../src/radar/sources/add-source.ts';
import { openDatabase } from '../src/store/platform/open-database.ts';
import { choosePast, type ReplayedPast } from './choose-past.ts';
import { openMailbox } from './mail/open-mailbox.ts';
import { callModels, priceModels } from './model-relay.ts';
import { openPublishers, type Publishers } from './publishers/open-publishers.ts';
import { addReceivers } from './receivers/add-receivers.ts';
import { openReceivers } from './receivers/open-receivers.ts';
import { replay } from './replay.ts';
import { openTlsFront, type TlsFront } from './tls/open-tls-front.ts';
import {
  checkoutKey,
  checkoutSecret,
  openCheckoutServer,
} from './upstream/checkout/open-checkout-server.ts';
import { demoModelSettings } from './upstream/model/demo-settings.ts';
import { openModelServer } from './upstream/model/open-model-server.ts';
import { openUpstream } from './upstream/open-upstream.ts';
import { buildWorld } from './world/build-world.ts';
import { daysBefore } from './world/plan-events.ts';

const HTTPS_PORT = 4443;

type Options = {
  readonly now: number;
  readonly speed: number;
  readonly seed: number;
  readonly items: number | undefined;
  /** Length of the replayed past; absent: `choosePast` selects it. */
  readonly days: number | undefined;
  readonly dataDir: string;
  /** Uses the model server of the demonstration world. */
  readonly hasModel: boolean;
  /** Port of an https address of the radar; null: only plain http. */
  readonly httpsPort: number | null;
};

const terminal = {
  isInteractive: process.stderr.isTTY,
  out: (text: string) => {
    process.stdout.write(text);
  },
  note: (text: string) => {
    process.stderr.write(text);
  },
};

function parseOptions(): Options {
  const parseNumber = (text: string) => {
    const value = Number(text);
    if (!(value > 0)) throw new InvalidArgumentError('It must be a number above 0.');
    return value;
  };
  const parseTime = (text: string) => {
    const at = parseWireTime(text);
    if (at === null) throw new InvalidArgumentError('It must be an RFC 3339 time.');
    return at;
  };
  const command = new Command('npm run demo --')
    .description('Content Radar with a demonstration world, on the throw-away folder data/demo.')
    .option('--now <time>', 'end of the replayed past; absent: now', parseTime)
    .option('--speed <factor>', 'speed of the clock after the replay', parseNumber, 1)
    .option('--seed <number>', 'seed of the world; equal seeds give equal worlds', parseNumber, 1)
    .option('--items <count>', 'a larger world, for measurements', parseNumber)
    .option('--days <count>', 'number of replayed days, at most forty', parseNumber)
    .option('--model', 'use the model server of the demonstration instead of the rules')
    .option('--https [port]', 'serve the radar over https too, with a certificate of this run')
    .option(
      '--data <folder>',
      'data folder; it is cleared at every start',
      join(import.meta.dirname, '../data/demo'),
    )
    .parse();
  const { now = Date.now(), speed, seed, items, days, data, model = false, https } = command.opts();
  const worldOptions = { now, speed, seed, items, days: days && Math.min(days, daysBefore) };
  // `--https` without a port has the value true.
  const parsePort = () => (https === true ? HTTPS_PORT : parseNumber(https));
  const httpsPort = https === undefined ? null : parsePort();
  return { ...worldOptions, dataDir: resolve(data), hasModel: model, httpsPort };
}

function chooseReplay({ now, days }: Options): ReplayedPast {
  return days === undefined ? choosePast(now) : { from: now - days * DAY_MS, worldNow: now };
}

/** Deletes the data of an earlier demo. Fails while another demo uses the folder. */
function clearFolder(dataDir: string): void {
  let pid = Number.NaN;
  try {
    pid = Number.parseInt(readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8'), 10);
  } catch {
    // Usually no process uses the folder.
  }
  if (Number.isInteger(pid) && isProcessAlive(pid)) {
    const message = `A demo runs on ${dataDir} already (process ${pid} is its database).`;
    throw new Fault('temporarily_unavailable', `${message} Stop it first.`);
  }
  rmSync(dataDir, { recursive: true, force: true });
}

/** Allows requests to loopback, sends them without delay, and logs only warnings. */
function demoConfig(dataDir: string): Config {
  const config = readConfig({ dataDir });
  const network = {
    privateHosts: ['127.0.0.0/8'],
    politenessMs: 0,
    perHostConcurrency: 4,
    proxies: {},
    resolve: 'here' as const,
  };
  return { ...config, file: { ...config.file, logLevel: 'warn', network } };
}

function openWorld(config: Config, clock: Clock): World {
  const random = systemRandom();
  const log = openLog({ level: config.file.logLevel, now: clock.now });
  const { privateHosts, politenessMs, perHostConcurrency } = config.file.network;
  const net = openNet({
    clock,
    privateHosts,
    politenessMs,
    perHostConcurrency,
    userAgent: 'ContentRadar/demo',
  });
  return { clock, random, ids: timedIds(clock, random), net, log };
}

async function main(): Promise<void> {
  const options = parseOptions();
  const { dataDir } = options;
  clearFolder(dataDir);
  const plainConfig = demoConfig(dataDir);
  const front = options.httpsPort === null ? null : await openHttps(plainConfig, options.httpsPort);
  const config =
    front === null ? plainConfig : { ...plainConfig, radarUrl: `https://localhost:${front.port}` };
  const { from, worldNow } = chooseReplay(options);
  const clock = replayClock(from);
  const world = openWorld(config, clock);
  const presentWorld = openWorld(config, runningClock(options.now - Date.now()));
  terminal.out('Writing the news of forty days …\n');
  const industry = buildWorld({ seed: options.seed, now: worldNow, items: options.items });
  const publishers = await openPublishers(clock, industry);
  terminal.out(`Publishers ${publishers.sources.length} servers on loopback\n`);
  const robots = openRobots(world.net, clock, 'ContentRadar/demo');
  const upstream = await openUpstream();
  const { search } = upstream.config;
  const providers = providersSchema.parse({
    ...upstream.config,
    // An example of a failing provider: its key has expired, so the next provider is used.
    search: [{ ...search[2], key: 'an expired key' }, search[0], search[1]],
  });
  const relay = relaySchema.parse({
    ...upstream.relay,
    // An example of a failing upstream: its key has expired, so the next upstream is used.
    upstreams: [makeExpiredUpstream(upstream.relay.upstreams), ...upstream.relay.upstreams],
  });
  const modelServer = options.hasModel ? await openModelServer() : null;
  const model = modelServer === null ? config.model : demoModelSettings(modelServer);
  const checkout = await openCheckoutServer({
    clock: presentWorld.clock,
    webhookUrl: () => `http://127.0.0.1:${config.gatewayPort}/webhooks/stripe`,
  });
  const { url } = checkout;
  const topUps = topUpsSchema.parse({
    checkout: { url, key: checkoutKey, webhookSecrets: [checkoutSecret] },
  });
  const mailbox = await openMailbox();
  const smtp = smtpSchema.parse({
    host: '127.0.0.1',
    port: mailbox.smtpPort,
    inboxUrl: mailbox.url,
    from: 'Content Radar <post@radar.localhost>',
  });
  const receivers = await openReceivers(clock.now, mailbox.url);
  const mailer = openSmtp(smtp);
  try {
    await serve(
      { ...config, model, file: { ...config.file, providers, relay, topUps, smtp } },
      { world, robots },
      {
        parts: ['radar', 'worker', 'gateway', 'relay'],
        openDatabase: () => openDatabase(world, { databaseUrl: null, dataDir, isDurable: false }),
        clockOffsetMs: options.now - Date.now(),
        // Prints each address at once, because addresses are needed during the replay.
        terminal: { ...terminal, isInteractive: false },
        version: 'demo',
        // Calls use the present time, also during the replay.
        gatewayWorld: presentWorld,
        // The demonstration's own model costs nothing. Another model only enriches new items.
        enrichesReplay: options.hasModel,
        beforeWork: async (db, deps, signal) => {
          await priceModels(presentWorld, db);
          await addSources(world, db, [
            ...publishers.sources,
            makeFailingSource(publishers.sources),
          ]);
          const onMoment = showProgress(from, options.now);
          const past = { clock, from, to: options.now, present: presentWorld.clock.now };
          const { language, file } = config;
          const site = { url: radarUrl(config), name: file.name, language };
          // The stories of the last hours are sent as soon as the worker runs.
          const beforeLastHours = () =>
            addReceivers(world, db, { services: receivers, smtp: mailer, site });
          await replay(world, db, deps, { ...past, onMoment, beforeLastHours, signal });
          clock.run(options.speed);
          await failProvider(presentWorld, config, dataDir);
          await callModels(presentWorld, { ...config, dataDir });
          const addresses = {
            mail: mailbox.url,
            checkout: checkout.url,
            receivers: receivers.pageUrl,
            imageUrl: `${upstream.servers.media.url}/pictures/english.png`,
          };
          if (!signal.aborted) terminal.out(describeExamples(config, dataDir, addresses));
        },
        onFirstAccount: (db, accountId) => fillWallet(presentWorld, db, accountId),
      },
    );
  } finally {
    await publishers.close();
    await front?.close();
    await upstream.close();
    await modelServer?.close();
    await checkout.close();
    await mailbox.close();
    mailer.close();
    await receivers.close();
    await presentWorld.net.close();
  }
}

async function openHttps({ radarPort, dataDir }: Config, port: number): Promise<TlsFront> {
  const front = await openTlsFront(radarPort, port);
  if (front === null) throw new Fault('invalid_request', '--https needs the program openssl.');
  const file = join(dataDir, 'https-certificate.pem');
  makeFolder(dataDir);
  writeFileSync(file, front.certificate);
  terminal.out(`Certificate  ${file}: clients must trust it\n`);
  return front;
}

/** Credits 100 CNY and a voucher of 10 CNY, so that paid capabilities can be tried at once. */
async function fillWallet(world: World, db: Db, accountId: string): Promise<void> {
  const creditFields = { accountId, livemode: true, actor: 'demo', reason: 'Demonstration' };
  const cny = (text: string) => parseCny(text) ?? 0n;
  await topUp(world, db, { ...creditFields, amount: cny('100'), reference: 'demo-top-up' });
  await issueVoucher(world, db, {
    ...creditFields,
    amount: cny('10'),
    name: 'Welcome',
    expiresAt: world.clock.now() + 90 * DAY_MS,
    reference: 'demo-voucher',
  });
}

async function addSources(world: World, db: Db, sources: readonly object[]): Promise<void> {
  for (const source of sources) {
    const addedSource = await addSource(world, db, source);
    if (addedSource.kind === 'invalid')
      throw new Fault('invalid_request', addedSource.problems.join('; '));
  }
}

/** A source whose feed no longer exists, as an example of a failing source. */
function makeFailingSource(sources: Publishers['sources']): object {
  const { privateHosts, settings, ...firstSource } = requirePresent(sources[0], 'a publisher');
  const url = new URL('/bulletin.xml', String(settings.url)).href;
  return {
    ...firstSource,
    id: `${firstSource.id}-bulletin`,
    name: `${firstSource.name} Bulletin`,
    privateHosts,
    kind: 'feed',
    settings: { url },
  };
}

/** An upstream with an expired key, which calls of `claude-demo` try first. */
function makeExpiredUpstream(
  upstreams: readonly { readonly kind?: string; readonly url: string }[],
) {
  const isClaude = ({ kind }: { readonly kind?: string }) => kind === 'anthropic-messages';
  const { url } = requirePresent(upstreams.find(isClaude), 'an upstream of Messages');
  const models = { 'claude-demo': 'claude-demo' };
  const kind = 'anthropic-messages';
  return { name: 'demo-expired', publicName: 'demo-expired', kind, url, key: 'expired', models };
}

/** Searches until the circuit breaker of the provider with the expired key is open. */
async function failProvider(world: World, { host, gatewayPort }: Config, dataDir: string) {
  try {
    const { ak, gateway_url: url = `http://${host}:${gatewayPort}` } = JSON.parse(
      readFileSync(join(dataDir, 'first-run.json'), 'utf8'),
    ) as { readonly ak?: string; readonly gateway_url?: string };
    for (let call = 0; call < FAILURES_UNTIL_OPEN; call += 1) {
      await world.net.request({
        url: `${url}/api/v1/search/engine/search?q=first+look`,
        headers: { authorization: `Bearer ${ak}` },
        timeoutMs: 10_000,
        maxBytes: 1024 * 1024,
        gapMs: 0,
        privateHosts: ['127.0.0.0/8'],
      });
    }
  } catch (error) {
    world.log.warn(
      { error: messageOf(error) },
      'the example of a failing provider is missing in this demonstration',
    );
  }
}

/** The number of failures that opens a circuit breaker. */
const FAILURES_UNTIL_OPEN = 5;

const radarUrl = ({ host, radarPort }: Config) => `http://${host}:${radarPort}`;

function describeExamples(
  config: Config,
  dataDir: string,
  {
    mail,
    checkout,
    receivers,
    imageUrl,
  }: {
    readonly mail: string;
    readonly checkout: string;
    readonly receivers: string;
    readonly imageUrl: string;
  },
): string {
  const url = radarUrl(config);
  const data = relative(process.cwd(), dataDir) || '.';
  return `
  What is new    curl '${url}/api/v1/items'
  Everything     curl '${url}/api/v1/items?mode=all&window=24h'
  As an agent    curl '${url}/SKILL.md'
  Search         curl '${url}/api/v1/items?mode=all&q=raises'
  A mirror       bin/node24 examples/mirror.ts ${url} /tmp/mirror.json --once
  Sources        DATA_DIR=${data} npx radar source list
  Withdraw one   DATA_DIR=${data} npx radar item withdraw <id>
  Every address  ${url}/openapi-v1.json
  The console    http://${config.host}:${config.gatewayPort}/console
  Mailbox        ${mail}
  Notifications  ${receivers} (a receiver for each kind of channel)
  Checkout       ${checkout}/ (payments, refunds, disputes)
  The gateway    http://${config.host}:${config.gatewayPort}/openapi.json
  OCR example    ${imageUrl}
  The chat relay http://${config.host}:${config.relayPort}/relay/v1
  Account        ${data}/first-run.json

`;
}

/** Shows one line that is updated on a terminal, otherwise a new line every five replayed days. */
function showProgress(from: number, to: number): (at: number) => void {
  let reportedDays = 0;
  return (at) => {
    const day = Math.floor((at - from) / DAY_MS);
    const text = `Replaying the past: day ${day} of ${Math.round((to - from) / DAY_MS)}`;
    if (terminal.isInteractive) terminal.note(`\r${text} ${at === to ? '\n' : ''}`);
    else if (day >= reportedDays + 5 || at === to) {
      reportedDays = day;
      terminal.out(`${text}\n`);
    }
  };
}

try {
  await main();
} catch (error) {
  terminal.note(`demo: ${error instanceof Fault ? messageOf(error) : (error as Error).stack}\n`);
  process.exitCode = 1;
}
