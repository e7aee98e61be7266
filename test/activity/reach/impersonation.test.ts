// Why cluster-proxy's impersonation stays off, and nobody but the reader gets to the user server: v0.10.0
// keeps the groups that a caller names itself, and asks the site in them with an account that may be anybody.
// If this test fails with a later version, docs/logs.md and decision 105 can offer people's own rights.
import { request } from 'node:https';
import { eventually } from '../../../testbed/eventually.ts';
import { startReachBed, type ReachBed } from '../../support/testbeds/reach/bed.ts';

const SECRETS = '/site-1/api/v1/namespaces/kube-system/secrets';
const beds: ReachBed[] = [];
afterAll(async () => {
  await Promise.all(beds.map((bed) => bed.stop()));
}, 100_000);

async function withImpersonation(enableImpersonation: boolean) {
  const bed = await startReachBed(['site-1'], [], { enableImpersonation });
  beds.push(bed);
  const token = await tokenOf(bed);
  const ask = (headers: Record<string, string>): Promise<number> =>
    statusOf(bed, { ...headers, authorization: `Bearer ${token}` });
  // Until the tunnel is there.
  await eventually(async () => ((await ask({})) === 502 ? undefined : (true as const)));
  return ask;
}

/** Of an account of the hub that has no right anywhere. */
async function tokenOf({ hub }: ReachBed): Promise<string> {
  const place = '/api/v1/namespaces/default/serviceaccounts';
  await hub.kube.raw('POST', place, { body: { metadata: { name: 'nobody' } } });
  const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} };
  const answer = (await hub.kube.raw('POST', `${place}/nobody/token`, { body })) as {
    status: { token: string };
  };
  return answer.status.token;
}

function statusOf({ tunnel }: ReachBed, headers: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    request(`${tunnel.url}${SECRETS}`, { ca: tunnel.ca, headers }, (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    })
      .once('error', reject)
      .end();
  });
}

test('with impersonation, any account of the hub is an administrator of every site', async () => {
  const ask = await withImpersonation(true);
  expect(await ask({})).toBe(403);
  expect(await ask({ 'Impersonate-Group': 'system:masters' })).toBe(200);
}, 900_000);

test('without, a token of the hub is nobody on a site', async () => {
  const ask = await withImpersonation(false);
  expect(await ask({})).toBe(401);
  expect(await ask({ 'Impersonate-Group': 'system:masters' })).toBe(401);
}, 900_000);
