// What a real API server says when a webhook, a right or another server stands in the way: who that is, and
// whether it may pass, is read out of those words.
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { unansweredBy } from '../../../activities/hub/bundle/status/unready-servers.ts';
import { refusalIn } from '../../../activities/hub/status/refused-by.ts';
import { CUSTOM_RESOURCE_DEFINITION } from '../../../crds/kubernetes/core.ts';
import { connectedBy, type Kube } from '../../../kube/client.ts';
import { ApiError } from '../../../kube/failure.ts';
import { endpointOf } from '../../../kube/http/credentials.ts';
import { transportTo } from '../../../kube/http/transport.ts';
import type { KubeObject } from '../../../kube/resource.ts';
import { API_TIMEOUT_MS, eventually } from '../../../testbed/eventually.ts';
import { issue } from '../../../tls/certificate.ts';
import { startApiServer, type ApiServerForTests } from '../../support/servers/api/api-server.ts';

const CANARY = 'c4n4ry';
/** Nobody listens there. */
const NOWHERE = 'https://127.0.0.1:9';
const MAPS = '/api/v1/namespaces/default/configmaps';
const RBAC = '/apis/rbac.authorization.k8s.io/v1';

let server: ApiServerForTests;
let denying: Server;
let kube: Kube;
let authority: string;
beforeAll(async () => {
  const [started, issued] = await Promise.all([startApiServer(), issue(['127.0.0.1'], Date.now())]);
  server = started;
  authority = issued.authority;
  kube = as();
  denying = createServer(issued, (request, answer) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => void parts.push(part));
    request.on('end', () => {
      const { request: asked } = JSON.parse(Buffer.concat(parts).toString('utf8')) as {
        request: { uid: string };
      };
      const response = { uid: asked.uid, allowed: false, status: { message: `no: ${CANARY}` } };
      const review = { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response };
      answer.setHeader('content-type', 'application/json').end(JSON.stringify(review));
    });
  });
  await new Promise<void>((listening) => denying.listen(0, '127.0.0.1', listening));
}, 150_000);
afterAll(async () => {
  await kube?.close();
  denying?.close();
  await server?.stop();
});

/** Repeats what the server says, as a person's command does. */
function as(user?: string): Kube {
  const endpoint = endpointOf({ kubeconfig: server.kubeconfig, ...(user === undefined ? {} : { as: user }) });
  const settings = { deadlineMs: API_TIMEOUT_MS, userAgent: 'test', quotesRefusals: true };
  return connectedBy(transportTo(endpoint, settings));
}

const post = (path: string, body: object): Promise<unknown> => kube.raw('POST', path, { body });

/** The refusal of a write that is tried until it is refused in such words. */
function refusal(write: () => Promise<unknown>, words: RegExp): Promise<ApiError> {
  return eventually(async () => {
    const error = await write().then(
      () => null,
      (found: unknown) => found,
    );
    return error instanceof ApiError && words.test(error.said ?? '') ? error : undefined;
  });
}

const aMap = (name: string) => () =>
  post(`${MAPS}?dryRun=All`, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } });

/** Asked for ConfigMaps of one name alone. */
async function webhookFor(name: string, url: string): Promise<void> {
  const clientConfig = { url, caBundle: Buffer.from(authority).toString('base64') };
  const rules = [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }];
  const webhook = {
    name: `${name}.example.com`,
    clientConfig,
    rules,
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
    timeoutSeconds: 1,
    matchConditions: [{ name: 'one', expression: `object.metadata.name == '${name}'` }],
  };
  await post('/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations', {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingWebhookConfiguration',
    metadata: { name },
    webhooks: [webhook],
  });
}

test('a webhook that denies is named, for good, and its own words are not repeated', async () => {
  await webhookFor('denied', `https://127.0.0.1:${(denying.address() as AddressInfo).port}/`);
  const error = await refusal(aMap('denied'), /denied the request/);
  expect(error.by).toBe('webhook denied.example.com');
  expect(refusalIn(error.said ?? '')).toBe('Final');
  expect(error.said).toContain(CANARY);
  expect(JSON.stringify([error.message, error.by, error.fields])).not.toContain(CANARY);
});

test('a webhook that does not answer is waited for, and is no refusal', async () => {
  await webhookFor('silent', NOWHERE);
  const error = await refusal(aMap('silent'), /failed calling webhook/);
  expect(unansweredBy(error.said ?? '')).toContain("The site's webhook silent.example.com does not answer");
  expect({ by: error.by, refusal: refusalIn(error.said ?? '') }).toEqual({ by: null, refusal: null });
});

test('whoever grants what they do not have is refused until they have it', async () => {
  const rules = [{ apiGroups: ['rbac.authorization.k8s.io'], resources: ['roles'], verbs: ['create'] }];
  await post(`${RBAC}/clusterroles`, { metadata: { name: 'maker' }, rules });
  const subjects = [{ kind: 'User', name: 'maker', apiGroup: 'rbac.authorization.k8s.io' }];
  const roleRef = { kind: 'ClusterRole', name: 'maker', apiGroup: 'rbac.authorization.k8s.io' };
  await post(`${RBAC}/clusterrolebindings`, { metadata: { name: 'maker' }, subjects, roleRef });
  const maker = as('maker');
  const body = {
    metadata: { name: 'reader' },
    rules: [{ apiGroups: [''], resources: ['secrets'], verbs: ['get'] }],
  };
  const write = (): Promise<unknown> => maker.raw('POST', `${RBAC}/namespaces/default/roles`, { body });
  const error = await refusal(write, /not currently held/);
  expect(refusalIn(error.said ?? '')).toBe('Passing');
  await maker.close();
});

test('a kind that another server converts is waited for while that is away', async () => {
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  const versions = ['v1', 'v2'].map((name) => ({ name, served: true, storage: name === 'v1', schema }));
  const clientConfig = { url: NOWHERE, caBundle: Buffer.from(authority).toString('base64') };
  const webhook = { clientConfig, conversionReviewVersions: ['v1'] };
  const names = { kind: 'Turned', plural: 'turneds', singular: 'turned', listKind: 'TurnedList' };
  await kube.create(CUSTOM_RESOURCE_DEFINITION, {
    metadata: { name: 'turneds.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names,
      versions,
      conversion: { strategy: 'Webhook', webhook },
    },
  } as KubeObject);
  const body = { apiVersion: 'example.com/v2', kind: 'Turned', metadata: { name: 'one' } };
  const write = (): Promise<unknown> => post('/apis/example.com/v2/namespaces/default/turneds', body);
  const error = await refusal(write, /conversion webhook/);
  expect(unansweredBy(error.said ?? '')).toContain('The webhook that converts example.com/');
});

test('a kind that another server has is waited for while that is away', async () => {
  const spec = {
    group: 'away.example.com',
    version: 'v1',
    groupPriorityMinimum: 100,
    versionPriority: 100,
    insecureSkipTLSVerify: true,
    service: { namespace: 'default', name: 'away' },
  };
  await post('/apis/apiregistration.k8s.io/v1/apiservices', {
    metadata: { name: 'v1.away.example.com' },
    spec,
  });
  // Of this code client-go, and so OCM's agent, makes "the server is currently unable to handle the request".
  const write = (): Promise<unknown> =>
    kube.raw('GET', '/apis/away.example.com/v1/namespaces/default/things', {});
  const code = await eventually(async () => {
    const error = await write().then(
      () => null,
      (found: unknown) => found,
    );
    return error instanceof ApiError && error.code !== 404 ? error.code : undefined;
  });
  expect(code).toBe(503);
});
