// `radar prices …`: prices of models by token class. An import is a proposal until it is accepted.
import { Command } from 'commander';
import type { App } from '../app.ts';
import { acceptProposal, importFile, listModelPrices, setPrices } from './model-prices.ts';

export function pricesCommand(app: App): Command {
  const command = new Command('prices').description(
    'Prices of the relay’s models by token. Other models have the price relay.price.',
  );
  command
    .command('list')
    .description(
      'Prints the newest price list, also one that is not yet in force, in CNY per million tokens.',
    )
    .option('--json', 'as JSON')
    .action((options: { json?: boolean }) => listModelPrices(app, options));
  command
    .command('import <file>')
    .description(
      'Reads a price file or its https address, stores a proposal and prints what it would change.',
    )
    .option(
      '--format <format>',
      'litellm: the file model_prices_and_context_window.json of LiteLLM',
      'litellm',
    )
    .requiredOption('--rate <cny>', 'CNY per USD, for example 7.2')
    .option('--margin <percent>', 'percentage added to the cost', '0')
    .option('--models <ids>', 'import only these models, separated by commas')
    .action((file: string, options) => importFile(app, file, options));
  command
    .command('accept <proposal>')
    .description('Creates a price list from a proposal. The list begins in a minute.')
    .option('--accept-large', 'permit prices that fall to zero, disappear or change threefold')
    .action((id: string, options: { acceptLarge?: boolean }) => acceptProposal(app, id, options));
  command
    .command('set <model> [class=cny...]')
    .description(
      'Sets the prices of a model, in CNY per million tokens: input=8 output=24 ' +
        'cache_read=0.8 request=0.01 input@200000=16 input:priority=16. Imports never change ' +
        'these prices. A command without prices ends the sale of the model.',
    )
    .requiredOption('--reason <text>', 'the reason, for the audit log')
    .action((model: string, prices: string[], options: { reason: string }) =>
      setPrices(app, model, prices, options),
    );
  return command;
}
