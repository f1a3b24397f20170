// The interface between the command line and the composition root: functions that open parts of the
// application, and output streams. Results go to standard output, all other messages to standard
// error.

import type { CapabilityCheck } from '../gateway/capabilities/check-capability.ts';
import type { Robots } from '../kernel/net/robots.ts';
import type { Smtp } from '../kernel/net/smtp.ts';
import type { Db } from '../kernel/ports/db.ts';
import type { World } from '../kernel/world.ts';
import type { TestSite } from '../notifications/test-channel.ts';
import type { Enricher, EnrichmentInput, Tier } from '../radar/enrichment/enricher.ts';
import type { EnrichmentRecord } from '../radar/enrichment/model/enrichment-steps.ts';
import type { ReportContext } from '../radar/reports/write-reports.ts';
import type { SourcePack } from '../radar/sources/setup/source-packs.ts';
import type { TemplateAddresses } from '../radar/sources/setup/template-addresses.ts';
import type { Adviser } from '../radar/stories/advice/open-adviser.ts';
import type { StoryRules } from '../radar/stories/rules/open-rules.ts';
import type { Retention } from '../retention/maintain-data.ts';

/** The part of the application that needs no database. */
export type OfflineApp = { readonly world: World; readonly robots: Robots };

/** The application with its database and its configuration. */
export type CliApp = OfflineApp & {
  readonly db: Db;
  /** The radar's name on its pages. */
  readonly name: string;
  /** IANA zone of schedules without one. */
  readonly zone: string;
  /** The path of the editorial folder in use. */
  readonly editorialFolder: string;
  /** Whether radar.config.json names this folder. */
  readonly isEditorialFixed: boolean;
  /** Ids of the categories of an editorial folder. */
  readCategories(folder: string): Promise<readonly string[]>;
  /** Limit of active keys of an account in one mode. */
  readonly keysPerAccount: number;
  /** Dependencies of report writing. */
  openReportContext(): Promise<ReportContext>;
  /** The retention policy, and the place of exported months. */
  openRetention(): Retention;
  /** Dependencies of channel tests. */
  openChannels(): Promise<{ readonly smtp: Smtp | null; readonly site: TestSite }>;
  /** Queues a fetch of this source for the next free worker. */
  queueFetch(sourceId: string): Promise<void>;
};

export type Terminal = {
  /** Whether standard error is a terminal. */
  readonly isInteractive: boolean;
  out(text: string): void;
  note(text: string): void;
};

/** The contents of an archive. */
export type BackupFacts = {
  /** RFC 3339. */
  readonly createdAt: string;
  /** The version of the program that made the archive. */
  readonly program: string;
  /** The last migration of the database in the archive. */
  readonly migration: string;
  readonly tables: number;
  readonly rows: number;
  readonly media: number;
  /** Size of the archive itself. */
  readonly bytes: number;
};

export type RestoreFacts = BackupFacts & {
  /** Migrations that were applied after the restore. */
  readonly migrated: readonly string[];
  /** False: media are in an external store, so the archive's media were not restored. */
  readonly hasMediaFolder: boolean;
  /** Ids of accounts that were deleted after the backup and that the restore has deleted again. */
  readonly deletedAgain: readonly string[];
  /** The lists of deleted accounts that were found. */
  readonly lists: readonly string[];
};

/** The enricher that is measured: the rule-based enricher, or a model. */
export type Evaluation = {
  readonly world: World;
  readonly enrichItem: (
    item: EnrichmentInput & { readonly id: string; readonly at: number },
  ) => Promise<EnrichmentRecord>;
  readonly enricherVersion: string;
  /** Ids of the categories that the enricher can choose. */
  readonly categories: readonly string[];
  readonly thresholds: Readonly<Record<Tier, number>>;
  /** Null without a model. */
  readonly model: string | null;
  /**
   * Sum of all requests since the application was opened. `cost` is in CNY; null without a known
   * price.
   */
  readonly readSpending: () => Promise<{
    readonly requests: number;
    readonly tokens: number;
    readonly cost: string | null;
  }>;
};

export type ProviderCheckOptions = {
  readonly capability: string;
  /** Only providers of this kind; absent: all. */
  readonly provider?: string;
  /** The body of the request; absent: a harmless example. */
  readonly input?: unknown;
};

export type ProviderCheckResult = CapabilityCheck & {
  /** The kind of the provider in radar.config.json. */
  readonly name: string;
  /** CNY by `providerCosts`; null when it has no entry for the capability. */
  readonly cost: string | null;
};

export type App = {
  readonly terminal: Terminal;
  /** Serves until the process receives a signal to stop. */
  serve(options: {
    readonly only: readonly string[];
    readonly migrate: boolean;
    readonly now?: string;
  }): Promise<void>;
  /** Applies migrations and returns their names. */
  migrate(): Promise<readonly string[]>;
  /** The environment variable BACKUP_PASSPHRASE; null: not set. */
  backupPassphrase(): string | null;
  /** Copies the database and the media of this machine into a new file, encrypted or not. */
  backUp(
    path: string,
    passphrase: string | null,
    onProgress: (text: string) => void,
  ): Promise<BackupFacts>;
  /** Fills an empty database and the media folder from a backup. */
  restore(request: {
    readonly path: string;
    readonly passphrase: () => Promise<string>;
    /**
     * The path of a further list of deleted accounts; null: only the lists in the data folder and
     * beside the backup.
     */
    readonly deletedAccounts: string | null;
    readonly onProgress: (text: string) => void;
  }): Promise<RestoreFacts>;
  /** Verifies all checksums of a backup without changing anything. */
  checkBackup(path: string, passphrase: () => Promise<string>): Promise<BackupFacts>;
  /** `model`: a name, true for the configured model, false for the rule-based enricher. */
  evaluate(model: string | boolean, work: (evaluation: Evaluation) => Promise<void>): Promise<void>;
  /** Opens a model as adviser of the story engine. `model`: a name; true: the configured model. */
  advise(
    model: string | true,
    work: (world: World, adviser: Adviser) => Promise<void>,
  ): Promise<void>;
  /** The rule-based enricher, its categories, and the file of labels for its evaluation. */
  openEnricher(): Promise<{
    readonly enricher: Enricher;
    readonly categories: readonly string[];
    readonly labelsFile: string;
  }>;
  readPacks(): Promise<readonly SourcePack[]>;
  /** Address patterns of the source templates. */
  readTemplateAddresses(): Promise<TemplateAddresses>;
  /** Rules of the story engine. */
  openStoryRules(): Promise<StoryRules>;
  /** Calls each configured provider of a capability once. */
  checkProviders(options: ProviderCheckOptions): Promise<readonly ProviderCheckResult[]>;
  withOfflineApp<T>(work: (offlineApp: OfflineApp) => Promise<T>): Promise<T>;
  /**
   * Uses the database and the clock of a running `serve`; otherwise opens the database for this
   * command.
   */
  withApp<T>(work: (app: CliApp) => Promise<T>): Promise<T>;
};
