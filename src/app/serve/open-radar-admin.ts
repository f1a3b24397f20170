// Opens the radar's admin area for a process that serves it, with its dependencies.
import { readInstallationFacts } from '../../alerts/installation-facts.ts';
import { listSettings } from '../../config.ts';
import { FETCH_SOURCE } from '../../jobs/job-kinds.ts';
import type { Db } from '../../kernel/ports/db.ts';
import type { Queue } from '../../kernel/ports/queue.ts';
import type { FormHandler } from '../../kernel/web/form-handler.ts';
import { openAdmin } from '../../radar/admin/open-admin.ts';
import type { SetupAccess } from '../../radar/admin/setup/setup-access.ts';
import type { Publication } from '../../radar/publication/open-publication.ts';
import type { ReportCategory } from '../../radar/reports/composition-context.ts';
import { readPacks } from '../../radar/sources/setup/source-packs.ts';
import { readTemplateAddresses } from '../../radar/sources/setup/template-addresses.ts';
import { openNotificationPages } from './notifications/open-notifications.ts';
import { openOperators } from './open-operators.ts';
import { openReportContext } from './open-report-context.ts';
import type { AppRun } from './run.ts';

export type RadarAdminDeps = {
  readonly publication: Publication;
  /** Address of the admin area for operators. */
  readonly areaUrl: () => string;
  readonly site: { readonly url: string; readonly name: string; readonly language: 'en' | 'zh-CN' };
  readonly categories: readonly string[];
  readonly labels: Readonly<Record<string, string>>;
  readonly editorial: readonly ReportCategory[];
  readonly setup: SetupAccess;
  /** Opened on first use. */
  readonly queue: () => Promise<Queue>;
};

export async function openRadarAdmin(
  run: AppRun,
  db: Db,
  { editorial, queue, ...shared }: RadarAdminDeps,
): Promise<FormHandler> {
  const { config, world, robots } = run;
  const site = { language: config.language, categories: editorial };
  return openAdmin(
    {
      ...shared,
      world,
      db,
      robots,
      reports: await openReportContext(config.file.editorial, site),
      ...(await openOperators(run, world, db)),
      jobs: {
        queueFetch: async (sourceId) => (await queue()).send(FETCH_SOURCE, sourceId, { sourceId }),
        depths: async () => (await queue()).depths(),
      },
      packs: await readPacks(config.file.editorial),
      templates: await readTemplateAddresses(config.file.editorial),
      notifications: openNotificationPages(run, db),
      setupSettings: {
        isFixed: config.isFixed,
        language: config.language,
        zone: config.zone,
        editorialFolder: config.file.editorial,
      },
      readInstallation: () =>
        readInstallationFacts(db, {
          dataDir: config.databaseUrl === null ? config.dataDir : null,
          program: run.options.version,
        }),
      settings: listSettings(),
      model: config.model,
    },
    run.clients,
  );
}
