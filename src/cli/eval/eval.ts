// `radar eval …`: measures single parts of the radar on files named on the command line.
import { Command } from 'commander';
import type { App } from '../app.ts';
import type { EvalOptions } from './selection.ts';
import type { StoryOptions } from './stories.ts';
import type { TextOptions } from './texts.ts';

export function evalCommand(app: App): Command {
  const command = new Command('eval').description('Measures one part of the radar on your files.');
  command
    .command('article')
    .description('Prints the article on a page: { title, text, publishedAt, language }.')
    .argument('<file>', 'the file with the page')
    .requiredOption('--url <url>', 'the address of the page')
    .action(async (file: string, options: { url: string }) => {
      const { evaluateArticle } = await import('./article.ts');
      await evaluateArticle(app, file, options.url);
    });
  const enrichmentCommand = (name: string, description: string) =>
    command
      .command(name)
      .description(description)
      .requiredOption('--items <file>', 'items as JSON lines; see docs/customize.md')
      .option('--model [name]', 'use a model: the configured one, or the one with this name')
      .option('--json', 'print the figures as JSON');
  enrichmentCommand('desk', 'Measures how often the enrichment chooses the labelled category.')
    .option(
      '--labels <file>',
      'JSON lines of { id, category }; default: labels in the items, otherwise the built-in ones',
    )
    .action(async (options: EvalOptions) => {
      const { evaluateEnrichment, hasCategories } = await import('./enrichment.ts');
      const usesBuiltInLabels =
        options.labels === undefined && !(await hasCategories(options.items));
      if (options.model === undefined && !options.json && (usesBuiltInLabels || options.labels)) {
        return evaluateEnrichment(app, options);
      }
      const { evaluateCategories } = await import('./selection.ts');
      await evaluateCategories(app, options);
    });
  enrichmentCommand(
    'selection',
    'Measures precision, recall and accuracy of the selection at each threshold.',
  )
    .option('--thresholds <list>', 'scores, like 40,50,60')
    .action(async (options: EvalOptions) => {
      const { evaluateSelection } = await import('./selection.ts');
      await evaluateSelection(app, options);
    });
  command
    .command('stories')
    .description('Groups items into stories with the engine. Nothing is stored.')
    .requiredOption(
      '--in <file>',
      'JSON lines: { id, time, lang, title, text?, source?, cluster? }',
    )
    .option('--out <file>', 'output file: { id, story }, one line per item')
    .option(
      '--thresholds <list>',
      'minimum log-odds to join a story, like 0.8,1.2; default: the value of the rules',
    )
    .option(
      '--model [name]',
      'use vectors and a model: the configured one, or the one with this name',
    )
    .option('--hourly', 'cluster the last 48 hours again each hour, as a running radar does')
    .action(async (options: StoryOptions) => {
      const { evaluateStories } = await import('./stories.ts');
      await evaluateStories(app, options);
    });
  command
    .command('texts')
    .description('Prints the texts of stories as the rules write them, with their faults.')
    .requiredOption(
      '--in <file>',
      'JSON lines: { id, lang, reports: [{ id, time, source, owner, … }] }',
    )
    .option('--out <file>', 'output file: { id, kind, text, faults }, one line per text')
    .action(async (options: TextOptions) => {
      const { evaluateTexts } = await import('./texts.ts');
      await evaluateTexts(app, options);
    });
  return command;
}
