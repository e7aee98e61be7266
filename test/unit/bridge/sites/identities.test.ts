// When the bridge has the identities of all agents looked at beside their Schedules.
import { jest } from '@jest/globals';
import { ScheduleNotFoundError, type Client } from '@temporalio/client';
import { followIdentities, type IdentitiesOptions } from '../../../../bridge/sites/identities.ts';
import { FORM, IDENTITY_FORM, IDENTITY_WORK } from '../../../../crds/hub/agent-identity.ts';
import { ADD_ON } from '../../../../crds/ocm/add-on.ts';
import type { Key, KubeObject } from '../../../../kube/resource.ts';
import { fakeCache } from '../../../support/builders/process/fake-cache.ts';

const CERTIFICATE = { namespace: 'cappstan-system', name: 'cappstan-gateway-certificate' };
const secret = (resourceVersion: string, name = CERTIFICATE.name): KubeObject => ({
  metadata: { namespace: CERTIFICATE.namespace, name, resourceVersion },
});
const idle = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

/** `forms`: of the work that brings each site its token; a site that is not named has none yet. */
function bridge({
  certificate = CERTIFICATE,
  forms = { 'site-1': FORM },
}: {
  readonly certificate?: IdentitiesOptions['certificate'];
  readonly forms?: Record<string, string | undefined>;
} = {}) {
  const triggered: string[] = [];
  const failed: string[] = [];
  const state = { refusals: 0 };
  const getHandle = (id: string) => ({
    trigger: async () => {
      triggered.push(id);
      if (id === 'identity/site-2') throw new ScheduleNotFoundError('not there', id);
      if (state.refusals-- > 0) throw new Error('Temporal does not answer');
    },
  });
  const secrets = fakeCache(secret('1'), secret('1', 'other'));
  const cluster = (name: string, hubAcceptsClient: boolean) =>
    ({ metadata: { name }, spec: { hubAcceptsClient } }) as KubeObject;
  const agents = ['site-1', 'site-2', 'denied'].map((namespace) => ({
    metadata: { namespace, name: ADD_ON },
  }));
  const watched = {
    secrets: secrets.cache,
    agents: {
      list: () => agents,
      get: (key: Key) => agents.find(({ metadata }) => metadata.namespace === key.namespace),
    },
    works: {
      get: ({ namespace, name }: Key) =>
        name === IDENTITY_WORK && (namespace ?? '') in forms
          ? { metadata: { annotations: { [IDENTITY_FORM]: forms[namespace ?? ''] } } }
          : undefined,
    },
    clusters: fakeCache(cluster('site-1', true), cluster('site-2', true), cluster('denied', false)).cache,
  } as unknown as IdentitiesOptions['watched'];
  const following = followIdentities({
    client: { schedule: { getHandle } } as unknown as Client,
    watched,
    certificate,
    onError: (one) => failed.push(one),
  });
  return { following, triggered, failed, state, put: (object: KubeObject) => secrets.put(object) };
}

test('another certificate of the gateway has the identity of each accepted agent looked at at once, and nothing else does', async () => {
  const { following, triggered, put, failed, state } = bridge();
  await idle();
  triggered.length = 0;
  put(secret('7', 'other'));
  put(secret('1'));
  await idle();
  expect(triggered).toEqual([]);
  state.refusals = 1;
  put(secret('2'));
  await idle();
  // What Temporal did not take is tried again.
  expect(triggered).toEqual(['identity/site-1', 'identity/site-2']);
  expect(failed).toEqual(['site-1']);
  await following.stop();
});

test('at its start the bridge looks once, for the certificate may have changed while it was away', async () => {
  const { following, triggered, failed } = bridge();
  await idle();
  await following.stop();
  expect(triggered).toEqual(['identity/site-1', 'identity/site-2']);
  expect(failed).toEqual([]);
});

test('a hub without a gateway looks at nothing', async () => {
  const { following, triggered } = bridge({ certificate: null });
  await idle();
  await following.stop();
  expect(triggered).toEqual([]);
});

describe('a token that an agent of this version does not find', () => {
  beforeEach(() => void jest.useFakeTimers({ doNotFake: ['setImmediate'] }));
  afterEach(() => void jest.useRealTimers());

  test('is looked at again while a hub worker of the former version keeps it, less and less often', async () => {
    const forms: Record<string, string | undefined> = { 'site-1': undefined };
    const { following, triggered } = bridge({ forms });
    await idle();
    const looksIn = async (ms: number): Promise<number> => {
      triggered.length = 0;
      await jest.advanceTimersByTimeAsync(ms);
      await idle();
      return triggered.filter((one) => one === 'identity/site-1').length;
    };
    expect([await looksIn(1_900), await looksIn(200), await looksIn(3_800), await looksIn(200)]).toEqual([
      0, 1, 0, 1,
    ]);
    await looksIn(86_400_000);
    expect(await looksIn(1_200_000)).toBe(2);
    forms['site-1'] = FORM;
    await looksIn(600_000);
    expect(await looksIn(86_400_000)).toBe(0);
    await following.stop();
  });
});
