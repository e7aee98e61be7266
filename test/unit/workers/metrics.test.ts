// Metrics in Prometheus' text format, and how many series there can be.
import { get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { METRICS, type Metric, type MetricName } from '../../../workers/metrics/catalogue.ts';
import { registry } from '../../../workers/metrics/meter.ts';
import { measureProcess, measureQueue } from '../../../workers/metrics/process.ts';
import { serveMetrics } from '../../../workers/metrics/serve.ts';

const WEBHOOK = { path: '/mutate-capp', result: 'failed' };
const samples = (text: string): string[] =>
  text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));

test('a counter is shown from 0 on, and counts each set of labels by itself', () => {
  const { open, count, text } = registry();
  open('cappstan_webhook_requests_total', WEBHOOK);
  expect(samples(text())).toEqual(['cappstan_webhook_requests_total{path="/mutate-capp",result="failed"} 0']);
  count('cappstan_webhook_requests_total', WEBHOOK);
  // The order of labels makes no difference.
  count('cappstan_webhook_requests_total', { result: 'failed', path: '/mutate-capp' });
  count('cappstan_webhook_requests_total', { ...WEBHOOK, result: 'allowed' });
  expect(samples(text())).toEqual([
    'cappstan_webhook_requests_total{path="/mutate-capp",result="failed"} 2',
    'cappstan_webhook_requests_total{path="/mutate-capp",result="allowed"} 1',
  ]);
  expect(text()).toContain('# TYPE cappstan_webhook_requests_total counter\n');
});

test('a histogram has rising buckets, a sum and a count', () => {
  const { record, text } = registry();
  for (const value of [0.0005, 0.02, 0.02, 99])
    record('cappstan_webhook_duration_seconds', value, { path: '/mutate-capp' });
  const lines = samples(text());
  const bucket = (le: string) =>
    lines.find((line) => line.includes(`_bucket{path="/mutate-capp",le="${le}"}`))?.split(' ')[1];
  expect(['0.001', '0.01', '0.025', '10', '+Inf'].map(bucket)).toEqual(['1', '1', '3', '3', '4']);
  expect(lines.slice(-2)).toEqual([
    'cappstan_webhook_duration_seconds_sum{path="/mutate-capp"} 99.0405',
    'cappstan_webhook_duration_seconds_count{path="/mutate-capp"} 4',
  ]);
});

test('a gauge shows what is true now: what it no longer tells is gone', () => {
  const { gauge, text } = registry();
  let queues = ['rings', 'events'];
  gauge('cappstan_queue_keys', () => queues.map((queue) => ({ labels: { queue }, value: 1 })));
  expect(samples(text())).toHaveLength(2);
  queues = ['events'];
  expect(samples(text())).toEqual(['cappstan_queue_keys{queue="events"} 1']);
});

test('values of labels are escaped', () => {
  const { count, text } = registry();
  count('cappstan_watch_restarts_total', { process: 'hub', kind: 'a"b\\c\nd' });
  expect(samples(text())).toEqual([
    String.raw`cappstan_watch_restarts_total{process="hub",kind="a\"b\\c\nd"} 1`,
  ]);
});

test.each(Object.keys(METRICS) as MetricName[])('%s never has more series than its labels allow', (name) => {
  const metric: Metric = METRICS[name];
  const meter = registry();
  const all = Array.from({ length: 10_000 }, (_, index) =>
    Object.fromEntries(Object.keys(metric.labels).map((label) => [label, `${label}-${index}`])),
  );
  if (metric.type === 'gauge') meter.gauge(name, () => all.map((labels) => ({ labels, value: 1 })));
  else
    for (const labels of all) {
      if (metric.type === 'counter') meter.count(name, labels);
      else meter.record(name, 1, labels);
    }
  const most = Object.values(metric.labels).reduce((product, one) => product * (one + 1), 1);
  const each = metric.type === 'histogram' ? (metric.buckets?.length ?? 0) + 3 : 1;
  expect(samples(meter.text()).length).toBeLessThanOrEqual(most * each);
  // No metric can have thousands.
  expect(most).toBeLessThanOrEqual(300);
});

test('a queue shows how long its oldest key has been due', () => {
  const meter = registry();
  measureQueue(meter, 'rings', { size: () => 2, oldestAt: () => Date.now() - 60_000 });
  const [keys, oldest] = samples(meter.text());
  expect(keys).toBe('cappstan_queue_keys{queue="rings"} 2');
  expect(Number(oldest?.split(' ')[1])).toBeGreaterThanOrEqual(60);
});

test('GET /metrics answers in the text format, and nothing else is served', async () => {
  const port = await freePort();
  const meter = registry();
  measureProcess(meter, 'bridge');
  const server = await serveMetrics(`127.0.0.1:${port}`, meter);
  try {
    const { status, type, body } = await ask(port, '/metrics');
    expect([status, type]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8']);
    expect(body).toMatch(/^cappstan_build_info\{process="bridge",version="\d+\.\d+\.\d+"\} 1$/m);
    expect((await ask(port, '/')).status).toBe(404);
    await expect(serveMetrics(`127.0.0.1:${port}`, meter)).rejects.toThrow('METRICS_ADDRESS');
  } finally {
    await server.close();
  }
});

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}

function ask(port: number, path: string): Promise<{ status: number; type: string; body: string }> {
  return new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port, path, agent: false }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, type: response.headers['content-type'] ?? '', body }),
      );
    }).once('error', reject);
  });
}
