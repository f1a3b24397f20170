// `radar eval …`: parts of the radar measured alone, on files that are named on the command line.
import { Command } from 'commander';
import type { App } from './app.ts';

export function evalCommand(app: App): Command {
  const command = new Command('eval').description('Measures one part of the radar on your files.');
  command
    .command('article')
    .description('Prints the article on a page: { title, text, publishedAt, language }.')
    .argument('<file>', 'the page, as it came')
    .requiredOption('--url <url>', 'where it came from')
    .action(async (file: string, options: { url: string }) => {
      const { evaluateArticle } = await import('./eval-article.ts');
      await evaluateArticle(app, file, options.url);
    });
  command
    .command('desk')
    .description('How often the built-in desk gives the category that a reader gave.')
    .requiredOption('--items <file>', 'headlines as JSON lines: { id, title, lang?, text? }')
    .option('--labels <file>', 'categories as JSON lines: { id, category }; ours when absent')
    .action(async (options: { items: string; labels?: string }) => {
      const { evaluateDesk } = await import('./eval-desk.ts');
      await evaluateDesk(app, options);
    });
  command
    .command('stories')
    .description('Groups items into stories: the engine alone, nothing is stored.')
    .requiredOption('--in <file>', 'JSON lines in order: { id, time, lang, title, text? }')
    .requiredOption('--out <file>', 'where { id, story } goes, one line per item')
    .action(async (options: { in: string; out: string }) => {
      const { evaluateStories } = await import('./eval-stories.ts');
      await evaluateStories(app, options);
    });
  return command;
}
