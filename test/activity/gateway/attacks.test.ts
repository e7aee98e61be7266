// Who has taken over a site has its token, and sends what it likes. Through the gateway nothing of it reaches
// what is not the site's, on a real Temporal and a real API server.
import { status } from '@grpc/grpc-js';
import type { Connection } from '@temporalio/client';
import { defaultPayloadConverter } from '@temporalio/common';
import { MANAGED_CLUSTER, MANIFEST_WORK } from '../../../crds/ocm/ocm.ts';
import { hashedWorkName } from '../../../crds/ocm/work-identity.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { SIGNALS } from '../../../gateway/bounds/allowance.ts';
import type { EndedCall } from '../../../gateway/answering.ts';
import { startGateway, workOf, type GatewayForTests } from '../../support/testbeds/door/gateway.ts';
import { ask, codeOf, json, poll } from '../../support/testbeds/door/gateway-calls.ts';

let stage: GatewayForTests;
let one: Connection;
beforeAll(async () => {
  stage = await startGateway(['site-1', 'site-10', 'site-2']);
  one = await stage.as(await stage.token('site-1'));
}, 300_000);
afterAll(() => stage?.stop());

const signal = (agent: Connection, workflowId: string, signalName: string, input: unknown) =>
  agent.workflowService.signalWorkflowExecution({
    namespace: 'default',
    workflowExecution: { workflowId },
    signalName,
    input: json(input),
    requestId: crypto.randomUUID(),
  });

describe('who is let in', () => {
  test('is the agent of a cluster that the hub has accepted, and nobody else', async () => {
    const said = async (token: string | null): Promise<string> =>
      codeOf((await stage.as(token)).workflowService.getSystemInfo({}));
    expect(await said(await stage.token('site-1'))).toBe('OK');
    expect(await said(null)).toBe('UNAUTHENTICATED');
    expect(await said('nonsense')).toBe('UNAUTHENTICATED');
    expect(await said(await stage.token('site-1', { audience: 'https://kubernetes.default.svc' }))).toBe(
      'UNAUTHENTICATED',
    );
    expect(await said(await stage.token('site-1', { name: 'default' }))).toBe('UNAUTHENTICATED');
    expect(await said(await stage.token('cappstan-system'))).toBe('UNAUTHENTICATED');
    const [head, claims, mark] = (await stage.token('site-2')).split('.');
    expect(await said(`${head}.${claims}.${mark?.replace(/^./, (c) => (c === 'A' ? 'B' : 'A'))}`)).toBe(
      'UNAUTHENTICATED',
    );
  });

  test('is nobody with a token that has expired', async () => {
    const token = await stage.token('site-1', { seconds: 7_200 });
    const said = async (hours: number): Promise<string> =>
      codeOf((await stage.as(stage.aged(token, hours))).workflowService.getSystemInfo({}));
    expect(await said(1)).toBe('OK');
    expect(await said(3)).toBe('UNAUTHENTICATED');
  });

  test('loses its open polls and every further call within moments when its cluster is denied, and gets in again when it is accepted', async () => {
    const agent = await stage.as(await stage.token('site-2'));
    const open = codeOf(poll(agent, 'agent/site-2'));
    await eventually(async () =>
      (await codeOf(agent.workflowService.getSystemInfo({}))) === 'OK' ? true : undefined,
    );
    await stage.accept('site-2', false);
    // Ended by the gateway, long before the poll's own deadline.
    expect(await open).toBe('CANCELLED');
    await eventually(async () =>
      (await codeOf(agent.workflowService.getSystemInfo({}))) === 'UNAUTHENTICATED' ? true : undefined,
    );
    await stage.accept('site-2');
    await eventually(async () =>
      (await codeOf(agent.workflowService.getSystemInfo({}))) === 'OK' ? true : undefined,
    );
    const again = codeOf(poll(agent, 'agent/site-2'));
    await stage.kube.remove(MANAGED_CLUSTER, { namespace: null, name: 'site-2' });
    expect(await again).toBe('CANCELLED');
    await eventually(async () =>
      (await codeOf(agent.workflowService.getSystemInfo({}))) === 'UNAUTHENTICATED' ? true : undefined,
    );
  });
});

describe('polls', () => {
  test.each(['hub', 'agent/site-10', 'agent/site-1/', 'agent/site-2', 'agent/', '', '/_sys/agent/site-1/1'])(
    'of the queue "%s" are refused to site-1',
    async (queue) => {
      expect(await codeOf(poll(one, queue))).toBe('PERMISSION_DENIED');
    },
  );

  test('of a sticky queue that names another as its normal one are refused', async () => {
    expect(await codeOf(poll(one, 'agent/site-1', { kind: 2, normalName: 'hub' }))).toBe('PERMISSION_DENIED');
    expect(await codeOf(poll(one, 'agent/site-1', { normalName: 'hub' }))).toBe('PERMISSION_DENIED');
  });

  test('beyond eight at one time are told to wait', async () => {
    const agent = await stage.as(await stage.token('site-10'));
    const gone = new AbortController();
    const codes = Array.from({ length: 9 }, () =>
      codeOf(agent.withAbortSignal(gone.signal, () => poll(agent, 'agent/site-10'))),
    );
    expect(await Promise.race(codes)).toBe('RESOURCE_EXHAUSTED');
    gone.abort();
    await Promise.all(codes);
    // An agent that has gone polls no longer at Temporal either: its silence is noticed.
    const isCancelled = ({ cluster, refusal }: EndedCall): boolean =>
      cluster === 'site-10' && refusal?.code === status.CANCELLED;
    await eventually(() => (stage.ended.filter(isCancelled).length === 8 ? true : undefined));
  });

  test('give no task of a type that no site is asked', async () => {
    await ask(stage.hub, 'site-1', 'apply');
    const found = await poll(one, 'agent/site-1');
    expect([found.taskToken?.length ?? 0, found.activityType]).toEqual([0, null]);
  });
});

describe('signals', () => {
  test.each([
    ['the usual name', 'shop', workOf('shop')],
    [
      'the hashed name, as of a Capp whose name runs together with another’s',
      'b-c',
      hashedWorkName('team-a', 'b-c'),
    ],
  ])(
    'ring a Capp that the hub has shipped to the site by %s, with a cause and nothing else',
    async (_how, name, work) => {
      const id = `capp/team-a/${name}`;
      await stage.ship('site-1', work);
      await begin(id);
      await signal(one, id, 'ring', {
        causes: ['spec', 'request'],
        minimumVersions: { Capp: '9'.repeat(20) },
      });
      expect(await signalsOf(id)).toEqual([['ring', { causes: ['site'], minimumVersions: {} }]]);
    },
  );

  test.each([
    ['a Capp of another site', 'capp/team-a/other', 'ring'],
    ['a Capp that is nowhere', 'capp/team-a/nowhere', 'ring'],
    ['the Capp with whose name that of a work runs together', 'capp/team/a-hashed', 'ring'],
    ['a name that is none', 'capp/team-a/../b', 'ring'],
    ['leave to its own Capp', 'capp/team-a/mine', 'leave'],
    ['migrate to its own Capp', 'capp/team-a/mine', 'migrate'],
    ['a drain', 'turns/site-1', 'stop'],
    ['a ring of a Drain', 'turns/site-1', 'drainChanged'],
    ['an inventory to another site', 'site/site-10', 'audit'],
    ['an inventory to a Capp', 'capp/team-a/mine', 'audit'],
    ['a set', 'cappset/team-a/mine', 'ring'],
    ['a Bundle', 'bundle/team-a/mine', 'ring'],
  ])('to %s are refused', async (_whom, workflowId, name) => {
    await ensureShipped();
    await begin(workflowId);
    expect(await codeOf(signal(one, workflowId, name, {}))).toBe('PERMISSION_DENIED');
    expect(await signalsOf(workflowId)).toEqual([]);
  });

  test('to a Capp that a work of the site claims in all that a site may write are refused', async () => {
    const id = 'capp/team-a/jewels';
    await stage.ship('site-10', workOf('jewels'));
    await stage.ship('site-1', workOf('bait'));
    const marks = { 'rcs.dana.io/capp-namespace': 'team-a', 'rcs.dana.io/capp-name': 'jewels' };
    await stage.kube.patch(
      MANIFEST_WORK,
      { namespace: 'site-1', name: workOf('bait') },
      { metadata: { annotations: marks, labels: marks } },
    );
    await begin(id);
    expect(await codeOf(signal(one, id, 'ring', {}))).toBe('PERMISSION_DENIED');
    expect(await signalsOf(id)).toEqual([]);
  });

  test('with an inventory reach the site’s own workflow, with entries that can be read alone', async () => {
    await begin('site/site-1');
    const entry = { namespace: 'team-a', name: 'shop', uid: 'u', stamp: 'u/1/a/b', statusHash: 'h' };
    const entries = [{ ...entry, more: 1 }, { name: 'broken' }];
    await signal(one, 'site/site-1', 'audit', { entries, after: null, upTo: null, other: true });
    expect(await signalsOf('site/site-1')).toEqual([
      ['audit', { entries: [entry], after: null, upTo: null }],
    ]);
    expect(
      await codeOf(
        signal(one, 'site/site-1', 'audit', { entries: Array.from({ length: 2_001 }, () => entry) }),
      ),
    ).toBe('INVALID_ARGUMENT');
  });

  test('beyond twenty a second are told to wait, while another site is answered', async () => {
    await ensureShipped();
    await begin('capp/team-a/mine');
    const begun = Date.now();
    const flood = Array.from({ length: 1_500 }, () => codeOf(signal(one, 'capp/team-a/mine', 'ring', {})));
    const neighbour = await stage.as(await stage.token('site-10'));
    expect(await codeOf(neighbour.workflowService.getSystemInfo({}))).toBe('OK');
    const codes = await Promise.all(flood);
    const seconds = Math.ceil((Date.now() - begun) / 1_000);
    const most = SIGNALS.atOnce + seconds * SIGNALS.perSecond;
    expect(codes.filter((code) => code === 'OK').length).toBeLessThanOrEqual(most);
    expect(codes).toContain('RESOURCE_EXHAUSTED');
  });
});

let isShipped = false;
async function ensureShipped(): Promise<void> {
  if (isShipped) return;
  isShipped = true;
  await stage.ship('site-1', workOf('mine'));
  await stage.ship('site-10', workOf('other'));
  // Of `team-a/hashed`, and not of `team/a-hashed`.
  await stage.ship('site-1', hashedWorkName('team-a', 'hashed'));
}

/** A workflow that nobody runs: what it is sent stands in its history. */
async function begin(workflowId: string): Promise<void> {
  await stage.hub.workflow.start('nothing', {
    workflowId,
    taskQueue: 'nobody',
    workflowIdConflictPolicy: 'USE_EXISTING',
  });
}

async function signalsOf(workflowId: string): Promise<[string, unknown][]> {
  const { events } = await stage.hub.workflow.getHandle(workflowId).fetchHistory();
  return (events ?? []).flatMap(({ workflowExecutionSignaledEventAttributes: said }) =>
    said === null || said === undefined
      ? []
      : [
          [said.signalName ?? '', defaultPayloadConverter.fromPayload(said.input?.payloads?.[0] ?? {})] as [
            string,
            unknown,
          ],
        ],
  );
}
