// docs/timeouts.md shows every table of time limits as the code has it, and no process keeps a limit anywhere
// else.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { AGENT_TIMES } from '../../../../activities/agent/times.ts';
import { HUB_TIMES } from '../../../../activities/hub/times.ts';
import { WEBHOOK_TIMES } from '../../../../admission/times.ts';
import { BRIDGE_TIMES } from '../../../../bridge/times.ts';
import { HUB_COMMAND_TIMES } from '../../../../deploy/hub/times.ts';
import { GATEWAY_TIMES } from '../../../../gateway/times.ts';
import { NOTIFIER_TIMES } from '../../../../notify/times.ts';
import { READER_TIMES } from '../../../../reach/times.ts';
import { REGISTRAR_TIMES } from '../../../../registrar/times.ts';
import { KUBE_TIMES } from '../../../../kube/times.ts';
import { SITE_TIMES } from '../../../../site/times.ts';
import { TLS_TIMES } from '../../../../tls/times.ts';
import { PROCESS_TIMES } from '../../../../workers/process/times.ts';
import { TERMS } from '../../../../workflows/engine/proxies.ts';

const ROOT = new URL('../../../../', import.meta.url);
const read = (file: string): string => readFileSync(new URL(file, ROOT), 'utf8');
const page = read('docs/timeouts.md');

const UNITS = [
  ['days', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
  ['ms', 1],
] as const;

/** In the largest unit of which it is a whole number: 90000 is 90 s. */
function duration(ms: number): string {
  const [unit, size] = UNITS.find(([, one]) => ms % one === 0) ?? ['ms', 1];
  return `${ms / size} ${unit}`;
}

type Table = Readonly<Record<string, { readonly ms: number; readonly bounds: string }>>;

const rows = (table: Table): string[] =>
  Object.entries(table).map(([name, { ms, bounds }]) => `| \`${name}\` | ${duration(ms)} | ${bounds} |`);

/** The rows below the heading that names the file. */
function shown(file: string): string[] {
  const section = page.split(/^## /m).find((one) => one.includes(`\`${file}\``)) ?? '';
  return section.split('\n').filter((line) => line.startsWith('| `'));
}

const TABLES: readonly (readonly [string, Table])[] = [
  ['kube/times.ts', KUBE_TIMES],
  ['workers/process/times.ts', PROCESS_TIMES],
  ['tls/times.ts', TLS_TIMES],
  ['activities/hub/times.ts', HUB_TIMES],
  ['bridge/times.ts', BRIDGE_TIMES],
  ['activities/agent/times.ts', AGENT_TIMES],
  ['site/times.ts', SITE_TIMES],
  ['admission/times.ts', WEBHOOK_TIMES],
  ['gateway/times.ts', GATEWAY_TIMES],
  ['notify/times.ts', NOTIFIER_TIMES],
  ['reach/times.ts', READER_TIMES],
  ['registrar/times.ts', REGISTRAR_TIMES],
  ['deploy/hub/times.ts', HUB_COMMAND_TIMES],
];

test.each(TABLES)('the page shows %s as it is', (file, table) => {
  expect(shown(file)).toEqual(rows(table));
});

/**
 * The options that a function of `workflows/engine/proxies.ts` sets itself or takes from TERMS, such as
 * `startToClose 30s`.
 */
function optionsOf(source: string): string {
  const [, terms = ''] = /\.\.\.TERMS\.(\w+)/.exec(source) ?? [];
  const shared = JSON.stringify(Object.entries(TERMS).find(([name]) => name === terms)?.[1] ?? {}).replaceAll(
    '"',
    "'",
  );
  const found = [...`${shared}${source}`.matchAll(/(\w+)Timeout'?: ?'(\w+)'/g)].map(
    ([, name = '', value = '']) => `${name} ${value}`,
  );
  const [, tries = 'any number of'] = /maximumAttempts'?: ?(\d+)/.exec(`${shared}${source}`) ?? [];
  return `${found.join(', ')} | ${tries}`;
}

test('the page shows the timeouts and tries of workflows/engine/proxies.ts as they are', () => {
  const [, ...proxies] = read('workflows/engine/proxies.ts').split(/^export function /m);
  expect(shown('workflows/engine/proxies.ts')).toEqual(
    proxies.map((source) => `| \`${source.split('(', 1)[0]}\` | ${optionsOf(source)} |`),
  );
});

test('no room outside of workflows keeps a time limit beside its table', () => {
  const list = execFileSync(
    'git',
    ['ls-files', 'kube', 'site', 'tls', 'admission', 'bridge', 'gateway', 'notify', 'activities', 'workers'],
    { cwd: ROOT },
  );
  const files = list.toString().split('\n');
  const sources = files.filter(
    (file) => file.endsWith('.ts') && !file.endsWith('/times.ts') && existsSync(new URL(file, ROOT)),
  );
  expect(sources.filter((file) => /^(?:export )?const [A-Z_]*_(?:MS|SECONDS) = /m.test(read(file)))).toEqual(
    [],
  );
});
