// Message catalogues: both languages have the same keys, and the same parameters in each message.
import { expect, test } from 'vitest';
import { adminMessages as gatewayAdmin } from '../../src/gateway/admin/messages/admin.ts';
import { providerHistoryMessages } from '../../src/gateway/admin/messages/provider-history.ts';
import { recordMessages } from '../../src/gateway/admin/messages/record.ts';
import { relayAdminMessages } from '../../src/gateway/admin/messages/relay.ts';
import { revenueMessages } from '../../src/gateway/admin/messages/revenue.ts';
import { consoleMessages } from '../../src/gateway/console/messages/console.ts';
import { moneyMessages } from '../../src/gateway/console/messages/money.ts';
import { relayMessages } from '../../src/gateway/console/messages/relay.ts';
import { requestLogMessages } from '../../src/gateway/console/messages/request-log.ts';
import { spendingMessages } from '../../src/gateway/console/messages/spending.ts';
import { usageMessages } from '../../src/gateway/console/messages/usage.ts';
import { webhookMessages } from '../../src/gateway/console/messages/webhooks.ts';
import { formMessages } from '../../src/kernel/web/messages.ts';
import { operatorMessages } from '../../src/kernel/web/operator-messages.ts';
import { operatorPageMessages } from '../../src/operators/pages/messages.ts';
import { editingMessages } from '../../src/radar/admin/messages/editing.ts';
import { healthMessages } from '../../src/radar/admin/messages/health.ts';
import { adminMessages as radarAdmin } from '../../src/radar/admin/messages/messages.ts';
import { modelMessages } from '../../src/radar/admin/messages/model.ts';
import { notificationMessages } from '../../src/radar/admin/messages/notifications.ts';
import { setupMessages } from '../../src/radar/admin/messages/setup.ts';
import { sourceSetupMessages } from '../../src/radar/admin/messages/source-setup.ts';
import { aboutMessages } from '../../src/radar/pages/messages/about.ts';
import { agentMessages } from '../../src/radar/pages/messages/agent.ts';
import { readerMessages } from '../../src/radar/pages/messages/reader.ts';

const catalogues = {
  gatewayAdmin,
  providerHistoryMessages,
  recordMessages,
  relayAdminMessages,
  revenueMessages,
  consoleMessages,
  moneyMessages,
  relayMessages,
  requestLogMessages,
  spendingMessages,
  usageMessages,
  webhookMessages,
  formMessages,
  operatorMessages,
  operatorPageMessages,
  editingMessages,
  healthMessages,
  radarAdmin,
  modelMessages,
  notificationMessages,
  setupMessages,
  sourceSetupMessages,
  aboutMessages,
  agentMessages,
  readerMessages,
};

/** Names that only the Chinese catalogue has: in English, the id is the name. */
const chineseOnly = /^\.(capabilityNames|kindTitles)\./;

/** The path of every message, followed by the number of its parameters if it has any. */
function signaturesOf(value: unknown, path = ''): readonly string[] {
  if (typeof value === 'function') return [`${path}(${value.length})`];
  if (typeof value !== 'object' || value === null) return [path];
  return Object.entries(value).flatMap(([key, inner]) => signaturesOf(inner, `${path}.${key}`));
}

test.each(Object.entries(catalogues))(
  '%s has the same messages in both languages',
  (_name, catalogue) => {
    const [english, chinese] = [catalogue('en'), catalogue('zh-CN')].map((words) =>
      signaturesOf(words).filter((path) => !chineseOnly.test(path)),
    );
    expect(english?.length).toBeGreaterThan(3);
    expect(chinese?.toSorted()).toEqual(english?.toSorted());
  },
);
