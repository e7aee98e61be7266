// Metrics, alerts, dashboard and their pages agree: each metric that is named exists and is documented, and
// each alert has a runbook and a planted fault.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { METRICS, type Metric } from '../../../workers/metrics/catalogue.ts';

const ROOT = new URL('../../../', import.meta.url);
const read = (file: string): string => readFileSync(new URL(file, ROOT), 'utf8');

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly runbook: string };
}

const rules = (
  parse(read('deploy/helm/monitoring/alerts.yaml')) as { groups: { rules: Rule[] }[] }
).groups.flatMap((group) => group.rules);
const tests = (
  parse(read('deploy/helm/monitoring/alerts.test.yaml')) as {
    tests: { alert_rule_test: { alertname: string; exp_alerts?: unknown[] }[] }[];
  }
).tests.flatMap(({ alert_rule_test: all }) => all);
const dashboard = read('deploy/helm/monitoring/dashboard.json');
const runbooks = read('docs/runbooks.md');
const monitor = read('docs/monitor.md');
const all: readonly (readonly [string, Metric])[] = Object.entries(METRICS);

/** Names of ours, without what Prometheus adds to a histogram's. */
const namesIn = (text: string): string[] =>
  [...text.matchAll(/\b(?:cappstan|controller_runtime|workqueue)_[a-z_]+[a-z]\b/g)].map(([name]) =>
    name.replace(/_(bucket|sum|count)$/, ''),
  );

test.each(rules.map((rule) => [rule.alert, rule] as const))(
  '%s has a runbook and a planted fault',
  (alert, rule) => {
    expect(rule.annotations.runbook).toBe(`docs/runbooks.md#${alert.toLowerCase()}`);
    const section = runbooks.split(/^## /m).find((one) => one.startsWith(`${alert}\n`)) ?? '';
    // What it means, and at least two steps.
    expect(section).toMatch(/\n1\. [\s\S]+\n2\. /);
    const mine = tests.filter(({ alertname }) => alertname === alert);
    const fires = new Set(mine.map(({ exp_alerts: expected = [] }) => expected.length > 0));
    expect(fires.size).toBe(2);
    expect(['critical', 'warning']).toContain(rule.labels.severity);
  },
);

test('every runbook is of an alert', () => {
  const sections = [...runbooks.matchAll(/^## (\w+)$/gm)].map(([, name]) => name);
  expect(sections).toEqual(rules.map(({ alert }) => alert));
});

test.each([
  ['the alerts', read('deploy/helm/monitoring/alerts.yaml')],
  ['their tests', read('deploy/helm/monitoring/alerts.test.yaml')],
  ['the dashboard', dashboard],
  ['docs/monitor.md', monitor],
  ['docs/runbooks.md', runbooks],
])('%s name only metrics that exist', (_where, text) => {
  const known = new Set<string>(all.map(([name]) => name));
  expect([...new Set(namesIn(text))].filter((name) => !known.has(name))).toEqual([]);
});

test('every metric is on the dashboard or in an alert', () => {
  const used = new Set(namesIn(`${dashboard}${rules.map(({ expr }) => expr).join(' ')}`));
  expect(all.map(([name]) => name).filter((name) => !used.has(name))).toEqual([]);
});

test('docs/monitor.md has a row for each metric', () => {
  const rows = all.map(([name, { help, labels, on }]) => {
    const named = Object.keys(labels).map((label) => `\`${label}\``);
    return `| \`${name}\` | ${on.length === METRICS.cappstan_build_info.on.length ? 'all' : on.join(', ')} | ${help}${named.length === 0 ? '' : `, by ${named.join(', ')}`} |`;
  });
  expect(
    monitor.split('\n').filter((line) => /^\| `(?:cappstan|controller_runtime|workqueue)_/.test(line)),
  ).toEqual(rows);
});

test.each(all)('%s is named by its type and unit', (name, { type, buckets }) => {
  expect(name.endsWith('_total')).toBe(type === 'counter');
  if (type === 'histogram') expect(name).toMatch(/_(seconds|bytes)$/);
  expect(buckets !== undefined).toBe(type === 'histogram');
});

test('workflows count only metrics of the catalogue, with its words', () => {
  const source = read('workflows/engine/metrics.ts');
  expect(new Set(namesIn(source)).size).toBeGreaterThanOrEqual(6);
  for (const name of namesIn(source)) expect(source).toContain(METRICS[name as keyof typeof METRICS].help);
});

test('every metric is counted or measured somewhere', () => {
  const files = execFileSync('git', ['ls-files', 'workers', 'workflows'], { cwd: ROOT, encoding: 'utf8' });
  const sources = files
    .split('\n')
    .filter((file) => file.endsWith('.ts') && !file.endsWith('catalogue.ts'))
    .map(read)
    .join('');
  expect(all.map(([name]) => name).filter((name) => !sources.includes(`'${name}'`))).toEqual([]);
});
