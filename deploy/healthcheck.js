// Whether the parts of this container live: every port that one of them listens on must answer
// /healthz. A container of a worker alone has no port, and switches this check off.
const ports = (process.argv[2] ?? '4000,4100,4200').split(',');
const answers = await Promise.allSettled(
  ports.map((port) =>
    fetch(`http://127.0.0.1:${port}/healthz`, { signal: AbortSignal.timeout(2500) }),
  ),
);
const sick = ports.filter((_, index) => answers[index].value?.status !== 200);
if (sick.length > 0) {
  process.stderr.write(`no healthy answer on ${sick.join(', ')}\n`);
  process.exitCode = 1;
}
