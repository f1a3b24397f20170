// How the embedded server is set: for a small machine, the same on every one, and told at each
// start, so that a new release's settings reach an old folder.

/** As arguments of `postgres`. */
export function serverSettings(
  isDurable: boolean,
  over: Readonly<Record<string, string>>,
): string[] {
  // Off, a power failure loses everything; a killed server or process still loses nothing.
  const durable = isDurable ? 'on' : 'off';
  const settings = {
    // Nobody but who can enter the socket's folder.
    listen_addresses: '',
    max_connections: '100',
    shared_buffers: '128MB',
    // Processors are for many callers, not for one query; and what a parallel query shares goes to
    // /dev/shm, which a container may make too small.
    max_parallel_workers_per_gather: '0',
    max_parallel_maintenance_workers: '0',
    fsync: durable,
    full_page_writes: durable,
    timezone: 'UTC',
    log_timezone: 'UTC',
    // Starts, ends and crashes. What a statement did wrong its caller is told, and its values may
    // be personal.
    log_min_messages: 'log',
    log_min_error_statement: 'panic',
    log_checkpoints: 'off',
    ...over,
  };
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}
