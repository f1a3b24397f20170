// Names the selection rules of a new radar when its first sources are added on the command line.
import { readSetupSettings } from '../../operators/setup-settings.ts';
import { listSources } from '../../radar/sources/list-sources.ts';
import type { App, CliApp } from '../app.ts';

/** Prints nothing when rules were chosen, or when the radar had a source before these ones. */
export async function noteFirstRules(
  { terminal }: App,
  { world, db, isEditorialFixed }: CliApp,
  addedCount: number,
): Promise<void> {
  if (addedCount === 0 || isEditorialFixed) return;
  if ((await readSetupSettings(world, db)).editorial !== undefined) return;
  if ((await listSources(db)).length > addedCount) return;
  terminal.note(
    'The rules for artificial intelligence select the items. For another field, choose other ' +
      'rules on the page /admin/setup, or set "editorial": "editorial/general" in ' +
      'radar.config.json.\n',
  );
}
