// Settings of the embedded server, sized for a small machine. They are passed at each start, so a
// new release also changes old folders.

/** Settings as arguments of `postgres`. */
export function serverSettings(
  isDurable: boolean,
  overrides: Readonly<Record<string, string>>,
): string[] {
  // When off, a power failure loses all data; a killed server or process loses nothing.
  const durable = isDurable ? 'on' : 'off';
  const settings = {
    // Connections only through the socket folder.
    listen_addresses: '',
    max_connections: '100',
    shared_buffers: '128MB',
    // Many callers share the processors. Parallel queries also need /dev/shm, which containers may
    // limit.
    max_parallel_workers_per_gather: '0',
    max_parallel_maintenance_workers: '0',
    // New items are updated within a minute. With rarer vacuums, the tables grow faster.
    autovacuum_naptime: '5s',
    fsync: durable,
    full_page_writes: durable,
    timezone: 'UTC',
    log_timezone: 'UTC',
    // Logs starts, stops and crashes. Errors of statements go to the caller, and their values may
    // be personal.
    log_min_messages: 'log',
    log_min_error_statement: 'panic',
    log_checkpoints: 'off',
    ...overrides,
  };
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}
