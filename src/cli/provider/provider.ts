// `radar provider …`: checks whether the operator's providers and keys fulfil the contract.
import { Command } from 'commander';
import { Fault, messageOf } from '../../kernel/errors/fault.ts';
import type { App, ProviderCheckResult } from '../app.ts';

export function providerCommand(app: App): Command {
  const command = new Command('provider').description('Providers of the gateway’s capabilities.');
  command
    .command('check')
    .description(
      'Makes one real call to each configured provider of a capability, with your own key, and ' +
        'prints the fields of the contract that it returned. Providers may charge you for it.',
    )
    .argument('<capability>', 'social, transcribe, ocr, svc-image, svc-video, search or relay')
    .option(
      '--provider <kind>',
      'only the provider of this kind; for the relay also the name of an upstream',
    )
    .option('--input <json>', 'the body of the request; default: a harmless example')
    .option('--json', 'as JSON')
    .action((capability: string, options: CheckOptions) =>
      checkCapability(app, capability, options),
    );
  return command;
}

type CheckOptions = {
  readonly provider?: string;
  readonly input?: string;
  readonly json?: boolean;
};

async function checkCapability(app: App, capability: string, options: CheckOptions): Promise<void> {
  const { provider, input, json = false } = options;
  const results = await app.checkProviders({
    capability,
    ...(provider !== undefined && { provider }),
    ...(input !== undefined && { input: parseInput(input) }),
  });
  app.terminal.out(
    json
      ? `${JSON.stringify({ capability, checks: results }, null, 2)}\n`
      : results.map((result) => `${formatCheck(capability, result).join('\n')}\n`).join('\n'),
  );
  const failedChecks = results.filter(({ failure }) => failure !== null);
  if (failedChecks.length > 0) {
    const names = failedChecks.map(nameOf).join(', ');
    throw new Fault('upstream_error', `${capability} did not succeed with ${names}.`);
  }
}

function parseInput(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Fault('invalid_request', `--input must be JSON: ${messageOf(error)}`);
  }
}

/** Each of several providers of one kind has a name, such as `oembed:tiktok`. */
const nameOf = ({ name, providers }: ProviderCheckResult): string =>
  providers.length === 1 ? (providers[0] ?? name) : name;

function formatCheck(capability: string, result: ProviderCheckResult): readonly string[] {
  const { durationMs, filled, empty, emptyLists, failure } = result;
  const head = `${nameOf(result)}, ${durationMs} ms`;
  if (failure !== null) {
    return [`${head}: failed`, `  code    ${failure.code}`, `  detail  ${failure.detail}`];
  }
  const nulls = empty.filter((path) => !emptyLists.includes(path));
  const lists = emptyLists.join(', ');
  return [
    `${head}: succeeded`,
    `  filled  ${filled.join(', ') || 'nothing'}`,
    `  null    ${nulls.join(', ') || 'nothing'}`,
    ...(lists === '' ? [] : [`  empty   ${lists}; another --input may fill these lists`]),
    ...formatCosts(capability, result),
  ];
}

function formatCosts(
  capability: string,
  { billed: { sku, quantity, unit }, cost }: ProviderCheckResult,
): readonly string[] {
  if (capability === 'relay') {
    return [
      `  billed  ${quantity} ${unit}, at the prices of the model`,
      '  cost    on the provider’s bill, by its prices',
    ];
  }
  const setting = `providerCosts.${capability}`;
  const billedText = sku === null ? 'a customer pays nothing' : `${quantity} × ${sku}, ${unit}`;
  const costText =
    cost === null ? `on the provider’s bill; ${setting} is not set` : `CNY ${cost} by ${setting}`;
  return [`  billed  ${billedText}`, `  cost    ${costText}`];
}
