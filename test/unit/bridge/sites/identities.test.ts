// When the bridge has the identities of all agents looked at beside their Schedules.
import { ScheduleNotFoundError, type Client } from '@temporalio/client';
import { followCertificate, type IdentitiesOptions } from '../../../../bridge/sites/identities.ts';
import { ADD_ON } from '../../../../crds/ocm/add-on.ts';
import type { KubeObject } from '../../../../kube/resource.ts';
import { fakeCache } from '../../../support/builders/process/fake-cache.ts';

const CERTIFICATE = { namespace: 'cappstan-system', name: 'cappstan-gateway-certificate' };
const secret = (resourceVersion: string, name = CERTIFICATE.name): KubeObject => ({
  metadata: { namespace: CERTIFICATE.namespace, name, resourceVersion },
});
const idle = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

function bridge(certificate: IdentitiesOptions['certificate'] = CERTIFICATE) {
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
    agents: { list: () => agents },
    clusters: fakeCache(cluster('site-1', true), cluster('site-2', true), cluster('denied', false)).cache,
  } as unknown as IdentitiesOptions['watched'];
  const following = followCertificate({
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
  const { following, triggered } = bridge(null);
  await idle();
  await following.stop();
  expect(triggered).toEqual([]);
});
