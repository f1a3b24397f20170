// Opens the retention policy of `radar.config.json` and the storage for exported months.
import { isAbsolute, join } from 'node:path';
import type { Config } from '../config.ts';
import { folderBackend } from '../gateway/capabilities/media/folder-backend.ts';
import type { MediaBackend } from '../gateway/capabilities/media/media-backend.ts';
import { s3Backend } from '../gateway/capabilities/media/s3-backend.ts';
import { Fault } from '../kernel/errors/fault.ts';
import type { World } from '../kernel/world.ts';
import type { Retention } from '../retention/maintain-data.ts';
import type { RetiredFiles } from '../store/platform/retention.ts';

export function openRetention(world: World, { file, dataDir }: Config): Retention {
  const { files, ...months } = file.retention;
  return {
    policy: {
      calls: months.ledgerMonths ?? null,
      entries: months.ledgerMonths ?? null,
      readings: months.fetchMonths ?? null,
      publication_log: months.publicationLogMonths ?? null,
      selected_ledger: months.selectedChangesMonths ?? null,
    },
    files: files === undefined ? null : openFiles(chooseBackend()),
  };

  function chooseBackend(): MediaBackend {
    if (files !== 's3') {
      const folder = files ?? '';
      return folderBackend(isAbsolute(folder) ? folder : join(dataDir, folder));
    }
    const store = file.providers.media;
    if (store.kind !== 's3') {
      throw new Fault(
        'invalid_request',
        'retention.files is s3, but providers.media is no S3 store. Change one of these settings.',
      );
    }
    return s3Backend(world, store, 'retired/');
  }
}

function openFiles(backend: MediaBackend): RetiredFiles {
  return {
    put: (name, bytes) => backend.put(name, bytes, 'application/gzip'),
    read: async (name) => {
      const content = await backend.open(name);
      if (content === null) throw new Fault('not_found', `There is no file ${name}.`);
      return backend.read(name, 0, content.byteLength - 1);
    },
  };
}
