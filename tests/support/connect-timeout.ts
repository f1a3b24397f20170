// How long a test's pool waits for a connection. A server gives up after 1.5 seconds. On a busy
// machine a connection can take longer, which matters only to tests about that limit.
export const slowConnectOptions = { connectMs: 60_000 };
