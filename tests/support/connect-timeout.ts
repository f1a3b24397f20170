// How long a test's own pool waits for a connection. A door gives up after a second and a half; on
// a busy machine, or with a process that loads its modules meanwhile, making one can take longer,
// and that is nothing that a test is about, unless it is about doors.
export const patience = { connectMs: 60_000 };
