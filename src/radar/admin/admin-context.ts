// The dependencies of every admin page: the radar's modules and the session.

import type { InstallationFacts } from '../../alerts/installation-facts.ts';
import type { Networks } from '../../kernel/client-address/networks.ts';
import type { Html } from '../../kernel/html/html.ts';
import type { Robots } from '../../kernel/net/robots.ts';
import type { Smtp } from '../../kernel/net/smtp.ts';
import type { Db } from '../../kernel/ports/db.ts';
import type { QueueDepth } from '../../kernel/ports/queue.ts';
import type { FormAssets } from '../../kernel/web/form-page.ts';
import type { Language } from '../../kernel/web/language.ts';
import type { TextDownload } from '../../kernel/web/operator-area.ts';
import type { World } from '../../kernel/world.ts';
import type { NotificationMessage } from '../../notifications/message.ts';
import type { ContentRequest } from '../../notifications/open-sender.ts';
import type { TestSite } from '../../notifications/test-channel.ts';
import type { OperatorRight } from '../../operators/roles.ts';
import type { OperatorSession, OperatorSessions } from '../../operators/sessions.ts';
import type { ModelSettings } from '../model/model-config.ts';
import type { Publication } from '../publication/open-publication.ts';
import type { ReportContext } from '../reports/write-reports.ts';
import type { SourcePack } from '../sources/setup/source-packs.ts';
import type { TemplateAddresses } from '../sources/setup/template-addresses.ts';
import type { SetupAccess } from './setup/setup-access.ts';

export type SettingView = {
  readonly name: string;
  /** Text of a setting; null: not set. Secrets are never included. */
  readonly value: string | null;
  readonly isSecret: boolean;
  readonly from: 'environment' | 'file' | 'setup' | 'default';
};

export type RadarAdminContext = {
  readonly world: World;
  readonly db: Db;
  readonly publication: Publication;
  readonly robots: Robots;
  readonly reports: ReportContext;
  readonly sessions: OperatorSessions;
  /** Networks that may open the area; null: every network. */
  readonly networks: Networks | null;
  /** Address of the area for operators; absent: the site's address. */
  readonly areaUrl?: () => string;
  readonly site: { readonly url: string; readonly name: string; readonly language: Language };
  readonly categories: readonly string[];
  readonly packs: readonly SourcePack[];
  /** The one-time address of the setup page. */
  readonly setup: SetupAccess;
  /** Address patterns of the source templates. */
  readonly templates: TemplateAddresses;
  /** Display names of the categories, by id. */
  readonly labels: Readonly<Record<string, string>>;
  readonly jobs: {
    /** Queues a fetch of this source for the next free worker. */
    queueFetch(sourceId: string): Promise<void>;
    depths(): Promise<readonly QueueDepth[]>;
  };
  readonly notifications: {
    /** Null: no mail server is configured. */
    readonly smtp: Smtp | null;
    readonly site: TestSite;
    /** Renders the public content of a delivery; null: none of its content is public now. */
    render(request: ContentRequest): Promise<NotificationMessage | null>;
  };
  readonly setupSettings: {
    /** True: the environment or radar.config.json sets the value, so no page can change it. */
    readonly isFixed: {
      readonly language: boolean;
      readonly name: boolean;
      readonly model: boolean;
      readonly editorial: boolean;
    };
    /** The current language of the public pages. */
    readonly language: Language;
    /** IANA name of the default time zone of schedules. */
    readonly zone: string;
    /** The path of the editorial folder in use. */
    readonly editorialFolder: string;
  };
  /** Processes, backup, integrity check, disk and version. */
  readonly readInstallation: () => Promise<InstallationFacts>;
  readonly settings: readonly SettingView[];
  /** Null: no model is configured. */
  readonly model: ModelSettings | null;
};

/** The context of one request to an admin page. */
export type RadarPageContext = RadarAdminContext & {
  readonly assets: FormAssets;
  readonly session: OperatorSession;
  /** Token for every form of this session. */
  readonly formToken: string;
  /** Returns why the session may not run an action; null: the action is allowed. */
  readonly refusal?: (action: string) => string | null;
};

export type RadarAdminRequest = {
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** Form fields; empty for a GET. */
  readonly form: URLSearchParams;
  /** The `Accept-Language` header of the request; empty without the header. */
  readonly acceptLanguage: string;
};

export type RadarAdminSection =
  | 'sources'
  | 'items'
  | 'stories'
  | 'ranking'
  | 'reports'
  | 'channels'
  | 'runs'
  | 'health'
  | 'model'
  | 'settings'
  | 'operators'
  | 'audit';

export type RadarAdminResponse =
  | {
      readonly kind: 'page';
      /** 200 when absent. */
      readonly status?: number;
      readonly title: string;
      readonly section: RadarAdminSection;
      /** Interval at which the page reloads without a script; absent: no reload. */
      readonly refreshSeconds?: number;
      readonly main: Html;
    }
  /** Redirects after an action, so that a reload does not repeat it. */
  | { readonly kind: 'moved'; readonly to: string }
  | TextDownload;

export type RadarAdminRoute = {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly right: OperatorRight;
  readonly handle: (
    context: RadarPageContext,
    request: RadarAdminRequest,
  ) => Promise<RadarAdminResponse>;
};
