// `radar subscription …` and `radar delivery …`: subscriptions of channels, and their deliveries.
import { Command } from 'commander';
import type { App } from '../app.ts';
import { collectValues, wholeNumber, wholeNumberFromZero } from '../program-values.ts';
import type { SubscriptionAddOptions } from './subscription-options.ts';

export function subscriptionCommand(app: App): Command {
  const command = new Command('subscription').description(
    'Subscriptions: the content that each channel receives.',
  );
  addOptions(command.command('add'))
    .description('Adds a subscription from options, or from a JSON file.')
    .argument('[channel]', 'id of a channel')
    .option('--file <file>', 'a definition as JSON; - reads stdin')
    .action(async (channel: string | undefined, options: SubscriptionAddOptions) => {
      const { addFromOptions } = await import('./change-subscriptions.ts');
      await addFromOptions(app, channel, options);
    });
  command
    .command('edit')
    .description('Replaces the definition of a subscription; sent deliveries stay.')
    .argument('<id>')
    .requiredOption('--file <file>', 'a definition as JSON; - reads stdin')
    .action(async (id: string, { file }: { file: string }) => {
      const { editSubscriptionById } = await import('./change-subscriptions.ts');
      await editSubscriptionById(app, id, file);
    });
  command
    .command('list')
    .description('Lists every subscription with its channel, schedule and next run.')
    .option('--json', 'as JSON')
    .action(async (options: { json?: boolean }) => {
      const { printSubscriptions } = await import('./change-subscriptions.ts');
      await printSubscriptions(app, options.json ?? false);
    });
  command
    .command('test')
    .description('Prints what a news subscription would have sent in the last seven days.')
    .argument('<id>')
    .action(async (id: string) => {
      const { printPreview } = await import('./change-subscriptions.ts');
      await printPreview(app, id);
    });
  for (const [name, state, description] of [
    ['pause', 'paused', 'Pauses a subscription.'],
    ['resume', 'on', 'Resumes a subscription; it sends only new content.'],
  ] as const) {
    command
      .command(name)
      .description(description)
      .argument('<id>')
      .action(async (id: string) => {
        const { switchSubscriptionById } = await import('./change-subscriptions.ts');
        await switchSubscriptionById(app, id, state);
      });
  }
  command
    .command('remove')
    .description('Removes a subscription with its notifications.')
    .argument('<id>')
    .action(async (id: string) => {
      const { removeSubscriptionById } = await import('./change-subscriptions.ts');
      await removeSubscriptionById(app, id);
    });
  return command;
}

const addOptions = (command: Command): Command =>
  command
    .option('--name <name>', 'name that operators and recipients see')
    .option('--kind <kind>', 'news, story, report or alerts', 'news')
    .option('--any <text>', 'news: items with this text; may be repeated', collectValues)
    .option('--none <text>', 'news: no items with this text; may be repeated', collectValues)
    .option('--category <id>', 'news: items of this category; may be repeated', collectValues)
    .option('--source <name>', 'news: items of this publisher; may be repeated', collectValues)
    .option('--min-score <number>', 'news: items with at least this score', wholeNumberFromZero)
    .option('--all', 'news: all public items, not only selected ones')
    .option('--story <id>', 'story: the public id of the story')
    .option('--report <kind>', 'report: daily, weekly or monthly; may be repeated', collectValues)
    .option('--severity <severity>', 'alerts: warn or page')
    .option('--language <tag>', 'language of fixed texts: en or zh-CN', 'en')
    .option('--every <minutes>', 'a digest at this interval', wholeNumber)
    .option('--daily <time>', 'a digest at this local time; may be repeated', collectValues)
    .option(
      '--zone <zone>',
      'time zone of --daily and --every; absent: the zone of the setup page',
    );

export function deliveryCommand(app: App): Command {
  const command = new Command('delivery').description('Deliveries: sent and pending messages.');
  command
    .command('list')
    .description('Lists the newest deliveries.')
    .option('--state <state>', 'waiting, delivered, failed, expired, void …')
    .option('--limit <number>', 'maximum number of deliveries', wholeNumber, 50)
    .option('--json', 'as JSON')
    .action(async (options: { state?: string; limit: number; json?: boolean }) => {
      const { listDeliveries } = await import('./change-deliveries.ts');
      await listDeliveries(app, options);
    });
  command
    .command('send')
    .description('Sends a delivery again, with the full number of attempts.')
    .argument('<id>')
    .action(async (id: string) => {
      const { changeDelivery } = await import('./change-deliveries.ts');
      await changeDelivery(app, id, 'send');
    });
  command
    .command('drop')
    .description('Drops a pending delivery.')
    .argument('<id>')
    .action(async (id: string) => {
      const { changeDelivery } = await import('./change-deliveries.ts');
      await changeDelivery(app, id, 'drop');
    });
  return command;
}
