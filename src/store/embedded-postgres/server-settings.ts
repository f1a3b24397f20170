// Settings of the embedded server, sized for a small machine. They are passed at each start, so a
// new release also changes old folders.

/** As arguments of `postgres`. */
export function serverSettings(
  isDurable: boolean,
  over: Readonly<Record<string, string>>,
): string[] {
  // Off, a power failure loses everything; a killed server or process still loses nothing.
  const durable = isDurable ? 'on' : 'off';
  const settings = {
    // Connections only through the socket folder.
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
    // Logs starts, stops and crashes. Errors of statements go to the caller, and their values may
    // be personal.
    log_min_messages: 'log',
    log_min_error_statement: 'panic',
    log_checkpoints: 'off',
    ...over,
  };
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}
