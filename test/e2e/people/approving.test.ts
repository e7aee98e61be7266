// A person approves a stage on the page, in a real browser, while the hub worker is killed: nothing is drawn
// before it is so, and the lanes move when another worker goes on.
import { APPROVE } from '../../../crds/labels.ts';
import { CAPP_SET, type CappSet } from '../../../crds/set/cappset.ts';
import { capp, newNamespace } from '../../../testbed/capps.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { openStack, type TestbedStack } from '../../../testbed/stack.ts';
import { browserTests } from '../../support/browser/in-browser.ts';
import { dashboardOf, pressThrough, type DashboardForTests } from '../../support/browser/dashboards.ts';
import { builtProgram, type BuiltProgram } from '../../support/testbeds/command/cli.ts';

const WAIT = { withinMs: 180_000, everyMs: 100 };

const { browser, inBrowser } = await browserTests();

let stack: TestbedStack;
let program: BuiltProgram;
let board: DashboardForTests;
let namespace: string;
beforeAll(async () => {
  if (browser === null) return;
  stack = await openStack();
  namespace = await newNamespace(stack.hub, 'approving');
  program = await builtProgram(stack.layout.kubeconfig('hub'));
  board = await dashboardOf(program, browser, stack.layout.kubeconfig('hub'));
}, 300_000);
afterAll(async () => {
  if (browser === null) return;
  await board?.close();
  await stack.hub.remove(CAPP_SET, key());
  await program?.remove();
  await stack.close();
});

const key = () => ({ namespace, name: 'shop' });
const stage = (name: string) => board.page.locator('.lane').filter({ hasText: name });
const readSet = async (): Promise<CappSet> => {
  const set = await stack.hub.get<CappSet>(CAPP_SET, key());
  if (set === null) throw new Error('there is no CappSet');
  return set;
};

/** One site at first, and the others when a person has approved them. */
function createSet(): Promise<CappSet> {
  const { spec } = capp({ ...key() });
  const stages = [
    { name: 'canary', sites: { count: 1 } },
    { name: 'others', approval: 'Required' },
  ];
  return stack.hub.create<CappSet>(CAPP_SET, {
    metadata: key(),
    spec: { sites: { clusters: stack.sites }, template: { spec }, strategy: { stages } },
  } as never);
}

inBrowser('on the page', () => {
  test('a stage is approved while the hub worker is killed, and its lane moves when another goes on', async () => {
    await createSet();
    await board.go(`/rollouts/CappSet/${namespace}/shop`, 'Waits for approval');
    await stage('others').getByText('Waits for approval').waitFor();
    await stage('canary').getByText('1 of 1 Ready').waitFor();

    let isBack = async (): Promise<void> => undefined;
    await pressThrough(board.page, 'Approve…', async () => {
      await board.page.getByText(`kubectl capp rollout approve shop -n ${namespace}`).last().waitFor();
      isBack = await stack.killNow('hub-worker');
    });
    // What the page says is the answer of the hub's API server, which has the request.
    await board.page.getByText(`${namespace}/shop: approved stage others`).waitFor();
    expect((await readSet()).metadata.annotations?.[APPROVE]).toMatch(/^others#/);

    await stage('others').getByText('Approved').waitFor();
    // Once more in the middle: what the lane shows is what a worker has written.
    await stack.killNow('hub-worker').catch(() => undefined);
    await isBack();
    await stage('others')
      .getByText(`${stack.sites.length - 1} of ${stack.sites.length - 1} Ready`)
      .waitFor();
    await board.page.locator('.lead').getByText('Done').waitFor();
    const set = await eventually(async () => {
      const now = await readSet();
      return now.status?.readySites === `${stack.sites.length}/${stack.sites.length}` ? now : undefined;
    }, WAIT);
    expect(set.status?.asked).toMatchObject([
      { what: 'approve', request: expect.stringMatching(/^others#/) },
    ]);
  }, 600_000);
});
