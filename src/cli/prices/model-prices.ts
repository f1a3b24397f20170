// Actions of `radar prices`: list, import, accept and set.
import { fetchPriceFile, parseMillionths } from '../../gateway/calls/fetch-price-file.ts';
import {
  acceptPrices,
  proposePrices,
  readLastModelPrices,
  setModelPrices,
} from '../../gateway/calls/plan-model-prices.ts';
import type { PricePlanResult } from '../../gateway/calls/plan-prices.ts';
import { importLitellm, type PriceChange } from '../../gateway/relay/prices/import-prices.ts';
import { isTokenClass, tokenClasses } from '../../gateway/relay/prices/token-classes.ts';
import { Fault } from '../../kernel/errors/fault.ts';
import { formatCny, parseCny } from '../../kernel/money.ts';
import { SHELL, withAudit } from '../../operators/audit-log.ts';
import type { App } from '../app.ts';
import { readFileAt } from '../read-file-at.ts';
import { textTable } from '../text-table.ts';

const ACTOR = 'command line';

export async function listModelPrices(app: App, { json = false }: { json?: boolean }) {
  const { rows } = await app.withApp(({ db }) => readLastModelPrices(db));
  const rowsInCny = rows.map(({ microFen, ...row }) => ({ ...row, cny: formatCny(microFen) }));
  if (json) return app.terminal.out(`${JSON.stringify(rowsInCny, null, 2)}\n`);
  if (rows.length === 0) return app.terminal.out('No model has a price by token.\n');
  const cells = rowsInCny.map((row) => [
    ...[row.model, row.class, String(row.from), row.variant, row.cny, row.origin],
  ]);
  const head = ['model', 'class', 'from', 'variant', 'cny', 'origin'];
  app.terminal.out(textTable([head, ...cells]));
}

type ImportFlags = {
  readonly format: string;
  readonly rate: string;
  readonly margin: string;
  readonly models?: string;
};

export async function importFile(app: App, file: string, flags: ImportFlags): Promise<void> {
  if (flags.format !== 'litellm') {
    throw new Fault('invalid_request', `--format must be litellm, not "${flags.format}".`);
  }
  const ratePpm = parseMillionthsOption('--rate', flags.rate, 0);
  const marginPpm = parseMillionthsOption('--margin', flags.margin, 2);
  if (ratePpm === 0n) throw new Fault('invalid_request', '--rate must be above zero.');
  const models = flags.models === undefined ? null : new Set(flags.models.split(','));
  const { id, changes } = await app.withApp(async ({ world, db }) => {
    const text = /^https?:/.test(file)
      ? await fetchPriceFile(world, file)
      : (await readFileAt(file)).toString('utf8');
    const imported = importLitellm(text, { ratePpm, marginPpm, models });
    if (imported.rows.length === 0) throw new Fault('invalid_request', NO_PRICE_FOUND);
    const numbers = { ratePpm: Number(ratePpm), marginPpm: Number(marginPpm), models };
    return proposePrices(world, db, { ...imported, ...numbers });
  });
  app.terminal.out(changesTable(changes));
  app.terminal.out(`\n${id}: nothing has changed yet. radar prices accept ${id}\n`);
}

const NO_PRICE_FOUND = 'The file has no price of the chosen models; nothing is stored.';

/** The value of an option in millionths. `shift`: 2 for a percentage, 0 for a number. */
function parseMillionthsOption(name: string, text: string, shift: number): bigint {
  const millionths = parseMillionths(text, shift);
  if (millionths !== null) return millionths;
  throw new Fault('invalid_request', `${name} must be a number like 7.2, not "${text}".`);
}

function changesTable(changes: readonly PriceChange[]): string {
  if (changes.length === 0) return 'Nothing would change.\n';
  const cny = (amount: bigint | null) => (amount === null ? '–' : formatCny(amount));
  const cells = changes.map((change) => [
    change.model,
    change.class,
    String(change.from),
    change.variant,
    cny(change.before),
    cny(change.after),
    change.isLargeChange ? 'large' : '',
  ]);
  return textTable([['model', 'class', 'from', 'variant', 'before', 'after', ''], ...cells]);
}

export async function acceptProposal(
  app: App,
  id: string,
  { acceptLarge = false }: { acceptLarge?: boolean },
): Promise<void> {
  const options = { actor: ACTOR, acceptsLarge: acceptLarge };
  const acceptResult = await app.withApp(({ world, db }) =>
    withAudit(world, db, SHELL, (tx) => acceptPrices(world, tx, id, options)),
  );
  switch (acceptResult.kind) {
    case 'unknown':
      throw new Fault('not_found', `There is no proposal ${id}. See: radar prices import --help`);
    case 'accepted_before':
      throw new Fault('invalid_request', `${id} was accepted before. Import the file once more.`);
    case 'large':
      app.terminal.out(changesTable(acceptResult.changes));
      throw new Fault(
        'invalid_request',
        'These prices fall to zero, disappear or change threefold. Nothing was changed; ' +
          'add --accept-large if they are right.',
      );
    default:
      printPlanResult(app, acceptResult);
  }
}

export async function setPrices(
  app: App,
  model: string,
  assignments: readonly string[],
  { reason }: { readonly reason: string },
): Promise<void> {
  const parsed = assignments.map(parsePrice);
  const problems = parsed.flatMap((price) => (typeof price === 'string' ? [price] : []));
  if (problems.length > 0) {
    throw new Fault(
      'invalid_request',
      `Not a price: ${problems.join(', ')}. Write class=cny or class:variant=cny, ` +
        `with one of ${tokenClasses.join(', ')}, or tool:name like tool:web_search.`,
    );
  }
  const prices = parsed.flatMap((price) => (typeof price === 'string' ? [] : [price]));
  const change = { model, prices, actor: ACTOR, reason };
  const planned = await app.withApp(({ world, db }) =>
    withAudit(world, db, SHELL, (tx) => setModelPrices(world, tx, change)),
  );
  printPlanResult(app, planned);
}

/** Parses `class=cny` or `class@from:variant=cny`. Returns any other text for the error message. */
function parsePrice(text: string) {
  const parts =
    /^((?:tool:)?[a-z][a-z0-9_]*)(?:@(\d{1,9}))?(?::([a-z]{1,20}))?=(.+)$/.exec(text) ?? [];
  const [, name = '', from = '0', variant = '', cny = ''] = parts;
  const microFen = parseCny(cny);
  if (!isTokenClass(name) || microFen === null || microFen < 0n) return text;
  return { class: name, from: Number(from), variant, microFen };
}

function printPlanResult(app: App, planned: PricePlanResult): void {
  if (planned.kind === 'planned') {
    app.terminal.out(`Price list ${planned.version} begins in a minute.\n`);
    return;
  }
  throw new Fault(
    'temporarily_unavailable',
    'Another price list was stored meanwhile. Run the command again.',
  );
}
