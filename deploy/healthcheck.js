// Health check of the image: /healthz must return 200 on every port. Arguments: the ports of the
// container's components, separated by commas. A worker has no port, so it disables this check.
const ports = (process.argv[2] ?? '4000,4100,4200').split(',');
const responses = await Promise.allSettled(
  ports.map((port) =>
    fetch(`http://127.0.0.1:${port}/healthz`, { signal: AbortSignal.timeout(2500) }),
  ),
);
const unhealthyPorts = ports.filter((_, index) => responses[index].value?.status !== 200);
if (unhealthyPorts.length > 0) {
  process.stderr.write(`no response with 200 on ${unhealthyPorts.join(', ')}\n`);
  process.exitCode = 1;
}
