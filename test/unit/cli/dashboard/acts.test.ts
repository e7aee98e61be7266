// What the page asks of the hub when somebody does what a sheet said: of which object, in which version.
import { doAct, planOfDrain } from '../../../../cli/dashboard/feed/acts.ts';
import { askToRollBack } from '../../../../cli/hub/acts/rollback.ts';
import type { ConnectedHub } from '../../../../cli/hub/connection/hub.ts';
import type { Capp } from '../../../../crds/capp/capp.ts';
import { DrainSpec } from '../../../../crds/drain/drain.ts';
import { ENDS_AFTER } from '../../../../crds/labels.ts';
import { ApiError } from '../../../../kube/failure.ts';
import { ready } from '../../../support/builders/facts.ts';

const hubWith = (kube: object): ConnectedHub => ({
  kube: kube as ConnectedHub['kube'],
  context: 'hub',
  server: 'https://hub',
  namespace: 'default',
  as: null,
});
const ASKED = { kind: '', namespace: '', name: 'shop', what: '', why: '', seen: '' };

test.each(['move', 'rollback', 'pause', 'resume'])(
  '%s of a Capp in a namespace that is called capps asks that Capp',
  async (act) => {
    const keys: unknown[] = [];
    const get = async (_resource: unknown, key: unknown): Promise<never> => {
      keys.push(key);
      throw new Error('that is all');
    };
    const done = doAct(hubWith({ get }), { ...ASKED, act, namespace: 'capps' });
    await expect(done).rejects.toThrow('that is all');
    expect(keys).toEqual([{ namespace: 'capps', name: 'shop' }]);
  },
);

describe('a rollback of a Capp', () => {
  const read = ready('shop', 'a');
  const at = (resourceVersion: string, generation: number): Capp => ({
    ...read,
    metadata: { ...read.metadata, uid: 'u', resourceVersion, generation },
  });
  /** An API server on which the Capp is so by now. */
  const serverWith = (now: Capp) => {
    const written: unknown[] = [];
    const patch = async (_resource: unknown, _key: unknown, body: Pick<Capp, 'metadata'>): Promise<Capp> => {
      if (body.metadata.resourceVersion !== now.metadata.resourceVersion)
        throw new ApiError({ method: 'PATCH', path: '/shop', code: 409, reason: 'Conflict' });
      written.push(body);
      return now;
    };
    return { written, hub: hubWith({ patch, get: async () => now }) };
  };
  const wanted = { to: 1, changes: ['x'], spec: {} };

  it('is written though its status has changed since it was read', async () => {
    const { written, hub } = serverWith(at('2', 1));
    await askToRollBack(hub, at('1', 1), wanted, undefined);
    expect(written).toHaveLength(1);
  });

  it('is not written over an edit that nobody has seen', async () => {
    const { written, hub } = serverWith(at('2', 2));
    await expect(askToRollBack(hub, at('1', 1), wanted, undefined)).rejects.toThrow('409 Conflict');
    expect(written).toEqual([]);
  });
});

describe('a Drain that a plan or a drill has made for its answer', () => {
  /** An API server with a site and this Drain, which tells what is done. */
  const serverWith = (spec: object) => {
    const did: string[] = [];
    let drain: object | null = {
      metadata: { name: 'shop', uid: 'u', resourceVersion: '7', annotations: { [ENDS_AFTER]: '300' } },
      spec: DrainSpec.parse(spec),
    };
    const kube = {
      getMetadata: async () => ({}),
      get: async () => drain,
      raw: async () => ({ resources: [{ name: 'drains' }] }),
      remove: async (_resource: unknown, _key: unknown, options: unknown) => {
        did.push(`delete ${JSON.stringify(options)}`);
        drain = null;
      },
      create: async () => {
        did.push('create');
        throw new Error('that is all');
      },
    };
    return { did, hub: hubWith(kube) };
  };

  it('gives way to a drain that is asked for on the page', async () => {
    const { did, hub } = serverWith({ dryRun: true });
    await expect(doAct(hub, { ...ASKED, act: 'drain' })).rejects.toThrow('that is all');
    expect(did).toEqual(['delete {"uid":"u","resourceVersion":"7"}', 'create']);
  });

  it('is left alone once it is a drain, and while its own answer is awaited', async () => {
    const drain = serverWith({});
    await expect(doAct(drain.hub, { ...ASKED, act: 'drain' })).rejects.toThrow(
      'There is a Drain shop by now.',
    );
    const asked = serverWith({ dryRun: true, rehearse: true });
    const plan = planOfDrain(asked.hub, { ...ASKED, act: 'drain' }, new AbortController().signal);
    await expect(plan).rejects.toThrow('that is all');
    expect([drain.did, asked.did]).toEqual([[], ['create']]);
  });
});
