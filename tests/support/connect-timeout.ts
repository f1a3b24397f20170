// Defines the connect timeout of a test's pool. The application's timeout of 1.5 seconds is too
// short on a busy machine; only tests of that timeout use it.
export const slowConnectOptions = { connectMs: 60_000 };
