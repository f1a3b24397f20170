// Opens the subscriptions, the alerts and the sender of notifications of a process.
import { alertContent } from '../../../alerts/alert-content.ts';
import type { ModelEvidence } from '../../../alerts/conditions.ts';
import { openAlerts } from '../../../alerts/open-alerts.ts';
import { SOURCE_REPORT, sourceReportContent } from '../../../alerts/source-report.ts';
import type { Config } from '../../../config.ts';
import { openSmtp, type Smtp } from '../../../kernel/net/smtp.ts';
import type { Db } from '../../../kernel/ports/db.ts';
import { runningClock } from '../../../kernel/time/clock.ts';
import { type ContentRequest, openNotificationSender } from '../../../notifications/open-sender.ts';
import type { TestSite } from '../../../notifications/test-channel.ts';
import { wireItem } from '../../../radar/api/wire-item.ts';
import { countUnknownOutcomes, listBudgets } from '../../../radar/model/model-report.ts';
import type { PublicItem } from '../../../radar/publication/item.ts';
import {
  type ContentSite,
  notificationContent,
} from '../../../radar/subscriptions/notification-content.ts';
import { openSubscriptions } from '../../../radar/subscriptions/open-subscriptions.ts';
import { backgroundDb } from '../../../store/platform/db.ts';
import { readOldestWaitMs } from '../../../store/platform/queue.ts';
import { adminUrl } from '../../side-ports.ts';
import { type AppRun, hostInUrl } from '../run.ts';

/** Attempts of 1.5 s each. A busy machine can be slow without an outage of the database. */
const ALERT_ATTEMPTS = 20;

/** Public address of the radar. */
const radarUrlOf = (config: Config): string =>
  config.radarUrl ?? `http://${hostInUrl(config.host)}:${config.radarPort}`;

/** Alerts of this process. A process without a worker does not evaluate the stored conditions. */
export function openAlertWatch(run: AppRun, shared: Db): void {
  const db = backgroundDb(shared, 1, ALERT_ATTEMPTS);
  const { config, world, components, options } = run;
  const { smtp: smtpConfig, alerts: settings, name } = config.file;
  const smtp = smtpConfig === undefined ? null : openSmtp(smtpConfig);
  const isEmbedded = config.databaseUrl === null;
  const isWorker = options.parts.includes('worker');
  const alerts = openAlerts(world, db, {
    evaluation: isWorker
      ? {
          dataDir: isEmbedded ? config.dataDir : null,
          zone: config.zone,
          oldestJobMs: () => readOldestWaitMs(db, runningClock().now()),
          model: modelEvidenceOf(run, db),
        }
      : null,
    smtp,
    heartbeat: settings.heartbeat ?? null,
    name: `${name} (${options.parts.join(', ')})`,
    url: adminUrl(run, 'radar', radarUrlOf(config)),
  });
  components.push({
    name: 'alerts',
    close: async () => {
      await alerts.close();
      smtp?.close();
    },
  });
}

/** The evidence for alerts about the model; null without a model. */
function modelEvidenceOf({ config, world }: AppRun, db: Db): (() => Promise<ModelEvidence>) | null {
  const { model } = config;
  if (model === null) return null;
  return async () => {
    const spentBudgets = (await listBudgets(world, db, model)).filter(
      ({ remaining }) => remaining === 0,
    );
    // A model can have several budgets for one period, and each period is reported once.
    const budgetsByPeriod = new Map(
      spentBudgets.map((budgetLine) => [`${budgetLine.model} ${budgetLine.span}`, budgetLine]),
    );
    return {
      spentBudgets: [...budgetsByPeriod.values()].map((budgetLine) => ({
        model: budgetLine.model,
        span: budgetLine.span,
      })),
      lostReplies: await countUnknownOutcomes(world, db),
    };
  };
}

export function openNotifications(run: AppRun, db: Db): void {
  const { config, world, components, metrics } = run;
  const site = siteOf(config);
  const { smtp: smtpConfig } = config.file;
  const smtp = smtpConfig === undefined ? null : openSmtp(smtpConfig);
  const outcomes = metrics.counter(
    'radar_deliveries_total',
    'Deliveries of notifications by outcome; waiting: tried again later.',
    ['state'],
  );
  const unsure = metrics.counter(
    'radar_deliveries_unsure',
    'Deliveries that may have arrived although no response was read.',
    [],
  );
  const subscriptions = openSubscriptions(world, db);
  components.push({ name: 'subscriptions', close: subscriptions.close });
  const sender = openNotificationSender(world, db, {
    smtp,
    mailsPerMinute: smtpConfig?.perMinute ?? 60,
    content: (request) => contentOf(db, { config, site }, request),
    onOutcome: (state, isUnsure) => {
      outcomes.of(state).value += 1;
      if (isUnsure) unsure.of().value += 1;
    },
  });
  components.push({
    name: 'notifications',
    close: async () => {
      await sender.close();
      smtp?.close();
    },
  });
}

/** Dependencies of a channel test. */
export function openChannelTest(config: Config): {
  readonly smtp: Smtp | null;
  readonly site: TestSite;
} {
  const { smtp, name } = config.file;
  return {
    smtp: smtp === undefined ? null : openSmtp(smtp),
    site: { url: radarUrlOf(config), name, language: config.language },
  };
}

/** Dependencies of the operators' pages: a test message, and a preview of a notification. */
export function openNotificationPages({ config }: AppRun, db: Db) {
  const site = siteOf(config);
  return {
    ...openChannelTest(config),
    render: (request: ContentRequest) => contentOf(db, { config, site }, request),
  };
}

function contentOf(db: Db, { config, site }: ContentContext, request: ContentRequest) {
  const adminSite = { ...site, url: adminUrl({ config }, 'radar', site.url) };
  if (request.subject.startsWith('alert:')) return alertContent(db, adminSite, request);
  if (request.subject === SOURCE_REPORT) return sourceReportContent(db, adminSite, request);
  return notificationContent(db, site, request);
}

type ContentContext = { readonly config: Config; readonly site: ContentSite };

function siteOf(config: Config): ContentSite {
  const url = radarUrlOf(config);
  const itemSite = {
    url,
    name: config.file.name,
    hasAihotLinks: config.file.aihotLinks,
    language: config.language,
  };
  return { url, zone: config.zone, wireItem: (item: PublicItem) => wireItem(itemSite, item) };
}
