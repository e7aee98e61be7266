// When objects of each kind are ready and when they have failed, by the CEL that is written into works:
// evaluated by a real API server, whose CEL is that of OCM's work agent but for the agent's own functions,
// which the rules do not use.
import { readyRules } from '../../../../activities/hub/bundle/ready/ready-rules.ts';
import { BUNDLE_MANIFEST } from '../../../../crds/labels.ts';
import type { Manifest } from '../../../../crds/ocm/ocm.ts';
import { connectedBy, type Kube } from '../../../../kube/client.ts';
import { ApiError } from '../../../../kube/failure.ts';
import { endpointOf } from '../../../../kube/http/credentials.ts';
import { transportTo } from '../../../../kube/http/transport.ts';
import { eventually } from '../../../../testbed/eventually.ts';
import { READINESS, STATELESS } from '../../../support/builders/fleet/readiness.ts';
import { ASKED } from '../../../support/builders/fleet/workload-readiness.ts';
import { startApiServer, type ApiServerForTests } from '../../../support/servers/api/api-server.ts';

let server: ApiServerForTests;
let kube: Kube;
const PROBE = { apiVersion: 'test.io/v1', kind: 'Probe', plural: 'probes', namespaced: false } as const;

beforeAll(async () => {
  server = await startApiServer();
  const endpoint = endpointOf({ kubeconfig: server.kubeconfig });
  kube = connectedBy(transportTo(endpoint, { deadlineMs: 10_000, userAgent: 'test', quotesRefusals: true }));
  await definesProbes();
  await rulesDeny();
}, 120_000);
afterAll(async () => {
  await kube?.close();
  await server?.stop();
});

async function definesProbes(): Promise<void> {
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  await kube.raw('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
    body: {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'probes.test.io' },
      spec: {
        group: 'test.io',
        scope: 'Cluster',
        names: { plural: 'probes', kind: 'Probe' },
        versions: [{ name: 'v1', served: true, storage: true, schema }],
      },
    },
  });
}

const TOKEN = 'this-version';

/** A rule of the Bundle's own, of a kind that has one. */
const OWN: Readonly<Record<string, Parameters<typeof readyRules>[2]>> = {
  'test.io/v1/Owned': [{ kind: 'Owned', name: 'a', when: 'object.spec.isDone' }],
};

function manifestOf(kind: string): Manifest {
  const parts = kind.replace(/ .*$/, '').split('/');
  const spec = ASKED[kind];
  return {
    apiVersion: parts.slice(0, -1).join('/'),
    kind: parts.at(-1) ?? '',
    metadata: { name: 'a' },
    ...(spec === undefined ? {} : { spec }),
  };
}

/** A policy that refuses every probe, and says what the rules of its kind say of the object in it. */
async function rulesDeny(): Promise<void> {
  const validations = Object.keys({ ...READINESS, ...STATELESS, ...OWN }).map((kind) => {
    const [rule] =
      readyRules(manifestOf(kind), { written: TOKEN, counted: TOKEN }, OWN[kind] ?? []).written
        .conditionRules ?? [];
    const all = (rule?.celExpressions ?? []).map((one) => `(${one})`).join(' && ');
    const message = (rule?.messageExpression ?? "''").replaceAll(/\bresult\b/g, `(${all})`);
    const told = `'<' + ((${all}) ? 'Ready' : (${message}) == '' ? 'Waits' : (${message})) + '>'`;
    return {
      expression: `object.of != '${kind}'`,
      messageExpression: told.replaceAll(/\bobject\b(?=\.)/g, 'object.it').replace(/^'<'/, "'<'"),
    };
  });
  const group = '/apis/admissionregistration.k8s.io/v1';
  const meta = { apiVersion: 'admissionregistration.k8s.io/v1', metadata: { name: 'rules' } };
  const resourceRules = [
    { apiGroups: ['test.io'], apiVersions: ['*'], operations: ['CREATE'], resources: ['probes'] },
  ];
  const spec = { matchConstraints: { resourceRules }, validations };
  await kube.raw('POST', `${group}/validatingadmissionpolicies`, {
    body: { ...meta, kind: 'ValidatingAdmissionPolicy', spec },
  });
  await kube.raw('POST', `${group}/validatingadmissionpolicybindings`, {
    body: {
      ...meta,
      kind: 'ValidatingAdmissionPolicyBinding',
      spec: { policyName: 'rules', validationActions: ['Deny'] },
    },
  });
  await eventually(async () => ((await saidOf('v1/Pod', {})) === 'nothing' ? undefined : true));
}

interface Judged {
  readonly metadata?: { readonly annotations?: object; readonly deletionTimestamp?: string };
}

async function saidOf(kind: string, object: Judged, token = TOKEN): Promise<string> {
  const annotations = { ...object.metadata?.annotations, [BUNDLE_MANIFEST]: token };
  const metadata = { generation: 2, ...object.metadata, annotations };
  const body = {
    apiVersion: PROBE.apiVersion,
    kind: PROBE.kind,
    metadata: { name: 'a' },
    of: kind,
    it: { ...object, metadata },
  };
  try {
    await kube.raw('POST', '/apis/test.io/v1/probes?dryRun=All', { body });
    return 'nothing';
  } catch (error) {
    const message = error instanceof ApiError ? (error.said ?? '') : '';
    return /<(.*)>/s.exec(message)?.[1] ?? 'nothing';
  }
}

describe.each(Object.entries(READINESS))('%s', (kind, cases) => {
  test.each(cases)('%s', async (_what, object, said) => {
    expect((await saidOf(kind, object)).replace(/[: ]+$/, '')).toBe(said);
  });

  test('counts only as this version of its manifest', async () => {
    for (const [, object] of cases) expect(await saidOf(kind, object, 'another')).toBe('Waits');
  });
});

describe.each(Object.entries(STATELESS))('%s', (kind, cases) => {
  test.each(cases)('%s, in whatever version', async (_what, object, said) => {
    for (const token of [TOKEN, 'another'])
      expect((await saidOf(kind, object, token)).replace(/[: ]+$/, '')).toBe(said);
  });
});

test('an object with a rule of the Bundle is not ready while it is being deleted, either', async () => {
  const kind = 'test.io/v1/Owned';
  const done = { spec: { isDone: true } } as object;
  expect(await saidOf(kind, done)).toBe('Ready');
  const deleted = { ...done, metadata: { deletionTimestamp: '2026-03-01T12:00:00Z' } };
  expect(await saidOf(kind, deleted)).toContain('somebody has deleted it');
});
