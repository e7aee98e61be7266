// What is refused since no Pod can have it is what a real API server refuses for a Pod, and nothing else.
import { NAMESPACE } from '../../../crds/kubernetes/core.ts';
import { connect, type Kube } from '../../../kube/client.ts';
import { ApiError } from '../../../kube/failure.ts';
import { API_TIMEOUT_MS } from '../../../testbed/eventually.ts';
import { MISTYPED, SLIPS, WHOLE } from '../../support/corpus/pods/deep.ts';
import { MAKEABLE, TOLD, UNMAKEABLE, UNREADABLE, UNTOLD } from '../../support/corpus/pods/unmakeable.ts';
import { startApiServer, type ApiServerForTests } from '../../support/servers/api/api-server.ts';

const NS = 'pods';
const ACCOUNT = { apiVersion: 'v1', kind: 'ServiceAccount' };
let server: ApiServerForTests;
let kube: Kube;

beforeAll(async () => {
  server = await startApiServer();
  kube = connect({ kubeconfig: server.kubeconfig, deadlineMs: API_TIMEOUT_MS });
  await kube.create(NAMESPACE, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NS } });
  // Of each Pod an account is asked for, before its content is.
  const account = { ...ACCOUNT, metadata: { namespace: NS, name: 'default' } };
  await kube.raw('POST', `/api/v1/namespaces/${NS}/serviceaccounts`, { body: account });
}, 300_000);
afterAll(() => server?.stop());

/** Null if it takes it. */
async function refusalOf({ metadata = {}, spec }: { readonly metadata?: object; readonly spec: object }) {
  const body = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { ...metadata, name: 'tried', namespace: NS },
    spec,
  };
  const path = `/api/v1/namespaces/${NS}/pods?dryRun=All&fieldValidation=Strict`;
  return kube.raw('POST', path, { body, quotesRefusal: true }).then(
    () => null,
    (error: unknown) => {
      if (!(error instanceof ApiError)) throw error;
      return error.code === 422 ? 'invalid' : (error.said ?? String(error));
    },
  );
}

test.each(SLIPS)(
  'a misspelt field %s: the API server has none of that name',
  async (_title, template, field) => {
    expect(await refusalOf(template)).toContain(`unknown field "${field.replace(/^.*?spec/, 'spec')}"`);
  },
);

test.each([...MISTYPED, ...UNREADABLE])(
  '%s: the API server cannot read the Pod',
  async (_title, template) => {
    expect(await refusalOf(template)).toMatch(
      /cannot unmarshal|cannot be handled as a Pod|quantities must match/,
    );
  },
);

test('the API server takes every field of which the shapes know', async () => {
  expect(await refusalOf(WHOLE)).toBeNull();
});

test.each([...UNMAKEABLE, ...UNTOLD])('%s: the API server refuses the Pod', async (_title, template) => {
  expect(await refusalOf(template)).toBe('invalid');
});

test.each([...MAKEABLE, ...TOLD])('%s: the API server takes the Pod', async (_title, template) => {
  expect(await refusalOf(template)).toBeNull();
});
