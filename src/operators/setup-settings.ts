// Reads and saves the settings of the setup page: language, name, time zone, editorial rules and
// model of the radar. The key of the model is stored encrypted. Invalid stored values are ignored.
import { z } from 'zod';
import { seal, unseal } from '../kernel/crypto/seal.ts';
import type { Db } from '../kernel/ports/db.ts';
import type { World } from '../kernel/world.ts';
import { readSettingValues, saveSettingValues } from '../store/operators/settings.ts';
import { notify } from '../store/platform/notifications.ts';
import { readSharedSecret } from '../store/platform/secrets.ts';

/** The rules for artificial intelligence, and the rules for any other field. */
export const editorialChoices = ['.', 'general'] as const;
export type EditorialChoice = (typeof editorialChoices)[number];

export type SetupSettings = {
  readonly language?: 'en' | 'zh-CN';
  readonly name?: string;
  /** IANA name. */
  readonly zone?: string;
  /** The chosen rules, as a folder within the project's editorial folder. */
  readonly editorial?: EditorialChoice;
  readonly model?: {
    readonly url: string;
    readonly key: string | null;
    readonly name: string;
  };
};

/** Serving processes listen on this channel and apply changed settings. */
export const SETTINGS_CHANNEL = 'setup_settings';

const SECRET_NAME = 'settings';
const MODEL_KEY_PURPOSE = 'model key';

const zoneSchema = z.string().refine(isZone);
const modelSchema = z.object({
  url: z.url({ protocol: /^https?$/ }),
  /** Sealed, base64. */
  key: z.string().nullable(),
  name: z.string().min(1).max(200),
});

export function isZone(text: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: text });
    return text !== '';
  } catch {
    return false;
  }
}

export async function readSetupSettings(world: World, db: Db): Promise<SetupSettings> {
  const values = await readSettingValues(db);
  const parseSetting = <T>(schema: z.ZodType<T>, name: string) =>
    schema.safeParse(values.get(name)).data;
  const language = parseSetting(z.enum(['en', 'zh-CN']), 'language');
  const name = parseSetting(z.string().min(1), 'name');
  const zone = parseSetting(zoneSchema, 'zone');
  const editorial = parseSetting(z.enum(editorialChoices), 'editorial');
  const modelConfig = parseSetting(modelSchema, 'model');
  const model = modelConfig && {
    ...modelConfig,
    key: await decryptKey(world, db, modelConfig.key),
  };
  return {
    ...(language !== undefined && { language }),
    ...(name !== undefined && { name }),
    ...(zone !== undefined && { zone }),
    ...(editorial !== undefined && { editorial }),
    ...(model !== undefined && { model }),
  };
}

/** Runs in the caller's transaction `tx`. An absent setting keeps its stored value. */
export async function saveSetupSettings(
  world: World,
  tx: Db,
  { model, ...otherSettings }: SetupSettings,
): Promise<void> {
  const encryptedModel = model && { ...model, key: await encryptKey(world, tx, model.key) };
  const values = {
    ...otherSettings,
    ...(encryptedModel !== undefined && { model: encryptedModel }),
  };
  await saveSettingValues(tx, values, world.clock.now());
  await notify(tx, SETTINGS_CHANNEL);
}

async function encryptKey(world: World, db: Db, key: string | null): Promise<string | null> {
  if (key === null) return null;
  const secret = await readSharedSecret(world, db, SECRET_NAME);
  return seal(world, secret, MODEL_KEY_PURPOSE, Buffer.from(key)).toString('base64');
}

async function decryptKey(world: World, db: Db, sealed: string | null): Promise<string | null> {
  if (sealed === null) return null;
  const secret = await readSharedSecret(world, db, SECRET_NAME);
  return unseal(secret, MODEL_KEY_PURPOSE, Buffer.from(sealed, 'base64'))?.toString() ?? null;
}
