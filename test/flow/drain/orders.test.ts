// A person empties a site with the README's words and the `temporal` of the local stack, while Capps are
// leaving it already.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { toolPath } from '../../../deploy/local/programs/tools.ts';
import type { DrainProgress } from '../../../workflows/drain/decide/progress.ts';
import { drainWorkflowId, turnsWorkflowId } from '../../../workflows/names.ts';
import { aResident } from '../../support/builders/drain/drains.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { openDrainTestbed, drainBundle, type DrainTestbed } from '../../support/testbeds/drain/drain.ts';
import { quietLogs } from '../../support/flow/quiet-logs.ts';

quietLogs();

const PATIENCE_MS = 300_000;
const NAMESPACE = 'orders';
const ADDRESS = process.env['FLOW_TEMPORAL_ADDRESS'] ?? '';
const PAGE = readFileSync(join(import.meta.dirname, '../../../docs/drain.md'), 'utf8');

let workflowBundle: { readonly code: string };
let drainTestbed: DrainTestbed;

beforeAll(async () => {
  workflowBundle = await drainBundle();
}, 300_000);

beforeEach(async () => {
  drainTestbed = await openDrainTestbed({ address: ADDRESS, namespace: NAMESPACE, workflowBundle });
});

afterEach(() => drainTestbed.close());

const names = (count: number, prefix: string) =>
  Array.from({ length: count }, (_, index) => `${prefix}-${String(index).padStart(2, '0')}`);

/**
 * The command in docs/drain.md that begins so, about another site and with more words, as a shell takes it.
 */
async function says(beginning: string, site: string, more = ''): Promise<string> {
  const inTables = [...PAGE.matchAll(/`([^`\n]+)`/g)].map(([, command = '']) => command);
  const commands = [...PAGE.split('\n').map((one) => one.trim()), ...inTables];
  const line = commands.find((one) => one.startsWith(beginning));
  if (line === undefined) throw new Error(`docs/drain.md has no command that begins with ${beginning}`);
  const command = `${line.replace(/ {2,}#.*$/, '').replaceAll('site-1', site)} ${more}`;
  const binary = process.env['TEMPORAL_BIN'] ?? toolPath('temporal');
  const env = {
    ...process.env,
    PATH: `${dirname(binary)}:${process.env['PATH']}`,
    TEMPORAL_ADDRESS: ADDRESS,
    TEMPORAL_NAMESPACE: NAMESPACE,
  };
  const { stdout } = await promisify(execFile)('sh', ['-c', command], { env });
  return stdout;
}

const handleOf = (id: string) => drainTestbed.client.workflow.getHandle(id);

test(
  'a person who empties a site that Capps are leaving already is heard: all leave, and the order ends with their number',
  async () => {
    const capps = names(20, 'heard');
    drainTestbed.residents = capps.map((name) => aResident(name));
    await drainTestbed.settle('heard', capps);
    drainTestbed.takes(null);
    for (const name of capps.slice(0, 6)) await drainTestbed.requestTurn('heard', name);
    await eventually(() => (drainTestbed.underWay().length === 6 ? true : undefined));
    await says('temporal workflow start --type drain', 'heard');
    await eventually(() => (drainTestbed.underWay().length === 20 ? true : undefined));
    drainTestbed.takes(0);
    drainTestbed.arrive();
    const account = (await handleOf(drainWorkflowId('heard')).result()) as DrainProgress;
    expect(account).toMatchObject({
      phase: 'Done',
      everything: true,
      moved: 20,
      stayed: {},
      waiting: 0,
      going: {},
    });
    expect(drainTestbed.residents).toEqual([]);
  },
  PATIENCE_MS,
);

test(
  'a Capp that comes to the site while it is emptied is told to leave before the drain is done',
  async () => {
    const capps = [...names(3, 'late'), 'late-comer'];
    drainTestbed.residents = capps.slice(0, 3).map((name) => aResident(name));
    await drainTestbed.settle('late', capps);
    drainTestbed.takes(null);
    await says('temporal workflow start --type drain', 'late');
    await eventually(() => (drainTestbed.underWay().length === 3 ? true : undefined));
    await drainTestbed.until('late', ({ going, waiting }) => going['site-2'] === 3 && waiting === 0);
    drainTestbed.residents = [...drainTestbed.residents, aResident('late-comer')];
    drainTestbed.takes(0);
    drainTestbed.arrive();
    const account = (await handleOf(drainWorkflowId('late')).result()) as DrainProgress;
    expect(account).toMatchObject({ phase: 'Done', moved: 4, stayed: {} });
  },
  PATIENCE_MS,
);

test(
  'who stays is named with the reason when the drain is done',
  async () => {
    const capps = names(2, 'named');
    drainTestbed.residents = [
      aResident('named-00'),
      aResident('named-01'),
      aResident('named-frozen', { why: 'Paused' }),
    ];
    await drainTestbed.settle('named', capps);
    drainTestbed.takes(null);
    await says('temporal workflow start --type drain', 'named');
    await eventually(() => (drainTestbed.underWay().length === 2 ? true : undefined));
    drainTestbed.arrive('Stayed', 'Pinned');
    const account = (await handleOf(drainWorkflowId('named')).result()) as DrainProgress;
    expect(account).toMatchObject({ phase: 'Done', moved: 0, stayed: { Pinned: 2, Paused: 1 } });
    expect(account.named).toContainEqual({ capp: 'apps/named-01', why: 'Pinned' });
    expect(drainTestbed.heard.filter(({ what }) => what === 'leave')).toHaveLength(2);
  },
  PATIENCE_MS,
);

test(
  'the README says how to look at a drain and to hold it, and what is said to the order is not lost',
  async () => {
    const capps = names(3, 'held');
    drainTestbed.residents = capps.map((name) => aResident(name));
    await drainTestbed.settle('held', capps);
    drainTestbed.takes(null);
    await says('temporal workflow start --type drain', 'held');
    await eventually(() => (drainTestbed.underWay().length === 3 ? true : undefined));
    expect(await says('temporal workflow query', 'held')).toContain('Draining');
    await says('temporal workflow signal', 'held');
    await drainTestbed.until('held', ({ phase }) => phase === 'Paused');
    await handleOf(drainWorkflowId('held')).signal('resume');
    await drainTestbed.until('held', ({ phase }) => phase === 'Draining');
    await handleOf(drainWorkflowId('held')).signal('stop');
    const account = (await handleOf(drainWorkflowId('held')).result()) as DrainProgress;
    expect(account).toMatchObject({ phase: 'Stopped', going: { 'site-2': 3 } });
    expect(await handleOf(turnsWorkflowId('held')).result()).toEqual(account);
    drainTestbed.arrive();
  },
  PATIENCE_MS,
);
