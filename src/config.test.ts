import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { configJsonSchema, listSettings, readConfig } from './config.ts';

const folder = mkdtempSync(join(tmpdir(), 'radar-config-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function withFile(json: unknown): NodeJS.ProcessEnv {
  const path = join(folder, 'radar.config.json');
  writeFileSync(path, typeof json === 'string' ? json : JSON.stringify(json));
  return { RADAR_CONFIG: path };
}

describe('the environment', () => {
  test('is optional, and the defaults equal the documentation', () => {
    const config = readConfig({}, {});
    expect(config).toMatchObject({
      host: '127.0.0.1',
      radarPort: 4000,
      radarUrl: null,
      gatewayPort: 4100,
      gatewayUrl: null,
      redisUrl: null,
      databaseUrl: null,
      trustProxy: [],
      trustProxyHeader: 'x-forwarded-for',
      language: 'en',
      now: null,
    });
    expect(config.dataDir).toBe(join(import.meta.dirname, '../data'));
    expect(config.file.limits).toEqual({ requestsPerSecond: 50, burst: 500 });
  });

  test('treats an empty variable as unset', () => {
    expect(readConfig({}, { DATABASE_URL: '', RADAR_PORT: '' }).radarPort).toBe(4000);
  });

  test('parses times, networks and addresses into values', () => {
    const config = readConfig(
      {},
      {
        RADAR_NOW: '2026-08-22T20:00:00+08:00',
        TRUST_PROXY: '10.0.0.0/8, ::1',
        TRUST_PROXY_HEADER: 'X-Real-IP',
        RADAR_URL: 'https://radar.example/',
        DATA_DIR: '/srv/radar',
      },
    );
    expect(config.now).toBe(Date.parse('2026-08-22T12:00:00Z'));
    expect(config.trustProxy).toEqual(['10.0.0.0/8', '::1']);
    expect(config.trustProxyHeader).toBe('x-real-ip');
    expect(config.radarUrl).toBe('https://radar.example');
    expect(config.dataDir).toBe('/srv/radar');
  });

  test('is overridden by the command line', () => {
    const config = readConfig(
      { now: '2026-01-01T00:00:00Z' },
      { RADAR_NOW: '2020-01-01T00:00:00Z' },
    );
    expect(config.now).toBe(Date.UTC(2026, 0, 1));
  });

  test.each([
    ['RADAR_PORT', '70000', 'RADAR_PORT: must be at most 65535'],
    ['RADAR_PORT', 'abc', 'RADAR_PORT: must be a number'],
    ['RADAR_LANGUAGE', 'fr', 'RADAR_LANGUAGE: must be one of en, zh-CN'],
    ['RADAR_URL', 'radar.example', 'RADAR_URL: must be an absolute http or https address'],
    ['DATABASE_URL', 'mysql://x', 'DATABASE_URL: must be a postgres:// address'],
    ['REDIS_URL', 'localhost', 'REDIS_URL: must be a redis:// or rediss:// address'],
    ['DATABASE_DIRECT_URL', 'postgres://h/db', 'DATABASE_DIRECT_URL is set without DATABASE_URL'],
    ['DATABASE_READ_URL', 'postgres://h/db', 'DATABASE_READ_URL is set without DATABASE_URL'],
    ['RADAR_NOW', '2026-02-30T00:00:00Z', 'RADAR_NOW: must be an RFC 3339 time'],
    ['RADAR_CONFIG', '/nowhere/radar.config.json', '/nowhere/radar.config.json cannot be read'],
  ])('names an invalid %s', (name, value, message) => {
    expect(() => readConfig({}, { [name]: value })).toThrow(message);
  });
});

describe('the configuration file', () => {
  test('overrides the defaults', () => {
    const config = readConfig({}, withFile({ name: 'Law Radar', network: { politenessMs: 0 } }));
    expect(config.file.name).toBe('Law Radar');
    expect(config.file.network).toEqual({
      privateHosts: [],
      politenessMs: 0,
      perHostConcurrency: 2,
      proxies: {},
      resolve: 'here',
    });
  });

  test('names every unknown key with its path', () => {
    const json = { limits: { burts: 3 }, colour: 'red' };
    expect(() => readConfig({}, withFile(json))).toThrow(/unknown key limits\.burts/);
    expect(() => readConfig({}, withFile(json))).toThrow(/unknown key colour/);
  });

  test('names every invalid key of the retention policy', () => {
    const json = { retention: { ledgerMonths: 12, fetchMonths: 1, weeks: 3 } };
    const read = () => readConfig({}, withFile(json));
    expect(read).toThrow(/retention\.fetchMonths/);
    expect(read).toThrow(/retention\.weeks/);
    const withoutFiles = withFile({ retention: { ledgerMonths: 12 } });
    expect(() => readConfig({}, withoutFiles)).toThrow(/retention\.files: is needed/);
    const complete = withFile({ retention: { ledgerMonths: 12, files: 'months' } });
    expect(readConfig({}, complete).file.retention).toEqual({ ledgerMonths: 12, files: 'months' });
  });

  test('names a missing editorial folder with its key', () => {
    expect(() => readConfig({}, withFile({ editorial: 'editorial/generall' }))).toThrow(
      /radar\.config\.json: editorial: there is no folder .*\/editorial\/generall$/,
    );
  });

  test('refuses a file that is not JSON', () => {
    expect(() => readConfig({}, withFile('{ name: 1 }'))).toThrow(/is not JSON/);
  });

  test('has the schema that radar.config.schema.json publishes', () => {
    const path = new URL('../radar.config.schema.json', import.meta.url);
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(configJsonSchema());
  });
});

test('lists settings with their origin and without secret values', () => {
  const environment = { RADAR_PORT: '4004', HOST: '', DATABASE_URL: 'postgres://u:canary@h/db' };
  const settings = listSettings(environment);
  const settingNamed = (name: string) => settings.find((setting) => setting.name === name);
  const publicValue = { isSecret: false };
  expect(settingNamed('RADAR_PORT')).toEqual({
    name: 'RADAR_PORT',
    value: '4004',
    from: 'environment',
    ...publicValue,
  });
  expect(settingNamed('HOST')).toEqual({
    name: 'HOST',
    value: '127.0.0.1',
    from: 'default',
    ...publicValue,
  });
  expect(settingNamed('limits.burst')).toEqual({
    name: 'limits.burst',
    value: '500',
    from: 'default',
    ...publicValue,
  });
  expect(settingNamed('DATABASE_URL')).toEqual({
    name: 'DATABASE_URL',
    value: '',
    from: 'environment',
    isSecret: true,
  });
  expect(JSON.stringify(settings)).not.toContain('canary');
});

describe('the model configuration', () => {
  const url = 'http://127.0.0.1:8080/v1/';

  test('is null when nothing is set', () => {
    expect(readConfig({}, {}).model).toBeNull();
  });

  test('has address, model and the options of the file', () => {
    const models = { small: { price: { input: '2.5', output: '10' } } };
    const file = withFile({ model: { models, steps: { digest: 'small' } } });
    const variables = { MODEL_URL: url, MODEL_NAME: 'large', EMBEDDING_MODEL: 'vectors' };
    expect(readConfig({}, { ...file, ...variables }).model).toMatchObject({
      url: 'http://127.0.0.1:8080/v1',
      key: null,
      name: 'large',
      embeddingModel: 'vectors',
      file: {
        steps: { digest: 'small' },
        models: { small: { price: { input: 250_000_000n, output: 1_000_000_000n } } },
        unknownOutcomeRetrySeconds: 600,
      },
    });
    const settings = listSettings({ ...file, ...variables, MODEL_KEY: 'canary' });
    expect(JSON.stringify(settings)).not.toContain('canary');
    expect(settings.find(({ name }) => name.endsWith('price.input'))?.value).toBe('2.5');
  });

  test('names the missing variable and an unknown step', () => {
    expect(() => readConfig({}, { MODEL_NAME: 'large' })).toThrow(/MODEL_URL must be the address/);
    expect(() => readConfig({}, { MODEL_URL: url })).toThrow(/MODEL_NAME must name the model/);
    const unknown = withFile({ model: { steps: { dream: 'large' } } });
    expect(() => readConfig({}, { ...unknown })).toThrow(/model\.steps/);
  });
});

describe('separate ports for the admin areas and the metrics', () => {
  test('are absent without settings', () => {
    const { admin, metrics } = readConfig({}, {}).file;
    expect([admin.port, metrics.port]).toEqual([undefined, undefined]);
  });

  test('are refused if two settings choose the same port; the message names all such pairs', () => {
    const file = withFile({ admin: { port: 4099 }, metrics: { port: 4000 } });
    expect(() => readConfig({}, file)).toThrow(
      /: admin\.port \+ 1 and GATEWAY_PORT are both 4100; metrics\.port and RADAR_PORT are both/,
    );
    const highestPort = withFile({ admin: { port: 65_535 } });
    expect(() => readConfig({}, highestPort)).toThrow(
      /admin\.port: the gateway’s admin area needs/,
    );
    const distinctPorts = withFile({ admin: { port: 4300 }, metrics: { port: 4310 } });
    expect(readConfig({}, distinctPorts).file.admin.port).toBe(4300);
  });
});

test('security.txt needs a contact by https, mail or telephone, and an expiry time', () => {
  const invalidFile = withFile({
    securityTxt: { contact: ['http://example.org'], expires: 'soon' },
  });
  expect(() => readConfig({}, invalidFile)).toThrow(
    /securityTxt\.contact\.0: .*securityTxt\.expires: must be an RFC 3339 time/,
  );
  const validContact = {
    contact: ['mailto:security@example.org'],
    expires: '2030-01-01T00:00:00Z',
  };
  expect(readConfig({}, withFile({ securityTxt: validContact })).file.securityTxt).toEqual({
    ...validContact,
    expires: Date.parse('2030-01-01T00:00:00Z'),
  });
});
