import { Histogram, type Registry } from 'prom-client';

const seconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Called once per finished request, with its operation id ('' for none), method, status and duration in seconds. */
export type RequestObserver = (route: string, method: string, status: number, seconds: number) => void;

/** Records http_server_request_duration_seconds, named after OpenTelemetry: the rate, errors and durations of each route (an operation id). */
export function requestObserver(registry: Registry): RequestObserver {
  const histogram = new Histogram({
    name: 'http_server_request_duration_seconds',
    help: 'Duration of HTTP requests at the gateway',
    labelNames: ['route', 'http_request_method', 'http_response_status_code'],
    buckets: seconds,
    registers: [registry],
  });
  // Series are cached, because resolving labels costs more than the observation. Only declared routes are distinguished, so there are few series.
  const series = new Map<string, { observe(value: number): void }>();
  return (route, method, status, duration) => {
    const known = route === '' ? 'none' : route;
    const verb = route === '' ? 'any' : method;
    const key = `${known} ${verb} ${status}`;
    let one = series.get(key);
    if (one === undefined) series.set(key, (one = histogram.labels(known, verb, String(status))));
    one.observe(duration);
  };
}
