// The cluster-scoped DNS record of a Capp, while its cache lags behind the API server.
import type { Capp } from '../../../../crds/capp/capp.ts';
import type { NamedRecord } from '../../../../crds/dns-record.ts';
import { CAPP_UID, FINALIZER, RECORD_FINALIZER } from '../../../../crds/labels.ts';
import type { Kube } from '../../../../kube/client.ts';
import { ApiError } from '../../../../kube/failure.ts';
import { claimInCluster } from '../../../../site/route/cluster-record.ts';
import { renderRecord } from '../../../../site/route/record.ts';
import type { OperatedSite } from '../../../../site/watched.ts';
import { aCapp } from '../../../support/builders/capps.ts';

const NAME = 'app.capp-zone.com';
const dns = { zone: 'capp-zone.com.', cname: 'ingress.capp-zone.com.', provider: 'dns-default' };
const config = { dns } as unknown as Parameters<typeof renderRecord>[2];

/**
 * An API server with these records, of which the cache shows none yet. Gives what was asked of it, in order.
 */
function lagging(records: readonly NamedRecord[] | ApiError) {
  const calls: string[] = [];
  const call = (verb: string) => (resource: { kind: string }, subject: unknown, body?: unknown) => {
    const { finalizers } = (body as { metadata?: Capp['metadata'] } | undefined)?.metadata ?? {};
    calls.push(`${verb} ${resource.kind}${finalizers === undefined ? '' : ` ${JSON.stringify(finalizers)}`}`);
    return Promise.resolve(subject);
  };
  const list = () =>
    records instanceof ApiError ? Promise.reject(records) : Promise.resolve({ items: records });
  const kube = {
    create: call('create'),
    apply: call('apply'),
    patch: call('patch'),
    list,
  } as unknown as Kube;
  const clusterRecords = { get: () => undefined, by: () => [] };
  return {
    site: { kube, watched: { clusterRecords } } as unknown as Pick<OperatedSite, 'kube' | 'watched'>,
    calls,
  };
}

const labelled = (capp: Capp): NamedRecord => renderRecord(capp, NAME, config, 'Cluster');
const held = (...others: string[]): Capp => {
  const capp = aCapp();
  return { ...capp, metadata: { ...capp.metadata, finalizers: [...others, RECORD_FINALIZER] } };
};

test('the Capp is held before its record is made, and the record is created and not applied', async () => {
  const { site, calls } = lagging([]);
  await claimInCluster(site, aCapp(), labelled(aCapp()));
  expect(calls).toEqual([`patch Capp ["${RECORD_FINALIZER}"]`, 'create CNAMERecord']);
});

test('a record of another Capp that comes first at the same moment is not overwritten, and the creation is tried again', async () => {
  const { site } = lagging([]);
  const taken = new ApiError({ method: 'POST', path: '/x', code: 409, reason: 'AlreadyExists' });
  const kube = { ...site.kube, create: () => Promise.reject(taken) } as unknown as Kube;
  await expect(claimInCluster({ ...site, kube }, held(), labelled(held()))).rejects.toBe(taken);
});

test('a Capp is held while the API server has a record of it that the cache does not show', async () => {
  const { site, calls } = lagging([labelled(held())]);
  await claimInCluster(site, held(), null);
  expect(calls).toEqual([]);
});

test.each([
  ['there is none', []],
  [
    'there is one of an earlier Capp of that name',
    [
      {
        ...labelled(held()),
        metadata: { name: NAME, labels: { ...labelled(held()).metadata.labels, [CAPP_UID]: 'former' } },
      },
    ],
  ],
  [
    'the last one is being deleted',
    [{ metadata: { ...labelled(held()).metadata, deletionTimestamp: 'now' } }],
  ],
  ['the kind is gone', new ApiError({ method: 'GET', path: '/x', code: 404, reason: 'NotFound' })],
])('a Capp is released when %s, and keeps the finalizers of others', async (_, records) => {
  const { site, calls } = lagging(records);
  await claimInCluster(site, held(FINALIZER), null);
  expect(calls).toEqual([`patch Capp ["${FINALIZER}"]`]);
});

test('a Capp that is not held costs nothing', async () => {
  const { site, calls } = lagging(new ApiError({ method: 'GET', path: '/x', code: 500, reason: 'Bad' }));
  await claimInCluster(site, aCapp(), null);
  expect(calls).toEqual([]);
});
