// What the webhook writes into Capps, called by a real API server, with the chart's configurations and
// rights, over TLS: defaults, and who asked.
import { CAPP, type Capp } from '../../../../crds/capp/capp.ts';
import {
  ABANDON,
  FINALIZER,
  LAST_UPDATED_BY,
  MIGRATE,
  PAUSED,
  requestedBy,
} from '../../../../crds/labels.ts';
import type { Kube } from '../../../../kube/client.ts';
import { HUB_USER, type WebhookForTests } from '../../../support/servers/chart/webhook.ts';
import {
  askedCapps,
  authorOf,
  DEFAULTS,
  NS,
  cappNamed as wish,
} from '../../../support/testbeds/hub/asked-capps.ts';

let stage: WebhookForTests;
let kube: Kube;
const { create } = askedCapps((given) => {
  stage = given;
  ({ kube } = given);
});

describe('a Capp that is written', () => {
  it('gets default resources and its author, and keeps everything else', async () => {
    const pod = { hostAliases: [{ ip: '1.1.1.1' }], topologySpreadConstraints: [{ maxSkew: 1 }] };
    const container = {
      resources: { limits: { cpu: '1' } },
      terminationMessagePath: '/tmp/last-words',
    };
    const stored = await create('defaults', { pod, container });
    const { containers, ...others } = stored.spec.configurationSpec.template.spec;
    expect(others).toEqual(pod);
    expect(containers).toEqual([
      {
        name: 'app',
        image: 'ghcr.io/me/app:v1',
        ...container,
        resources: { requests: DEFAULTS.requests, limits: { cpu: '1', memory: '200Mi' } },
      },
    ]);
    expect(authorOf(stored)).toBe('kubernetes-admin');
    expect(stored.metadata.finalizers).toEqual([FINALIZER]);
    const said = { requests: { cpu: '23m', memory: '23Mi' }, limits: { cpu: '123m', memory: '123Mi' } };
    expect(
      (await create('says-all', { container: { resources: said } })).spec.configurationSpec.template.spec
        .containers[0],
    ).toHaveProperty('resources', said);
  });

  it('records the last user who changed its spec, and neither the control plane nor a user who only labels it', async () => {
    const { metadata } = await create('authored');
    const key = { namespace: NS, name: 'authored' };
    const [hub, alice] = [await stage.as(HUB_USER), await stage.as('alice')];
    const finalizers = {
      metadata: { uid: metadata.uid, resourceVersion: metadata.resourceVersion, finalizers: [FINALIZER] },
    };
    expect(authorOf(await hub.patch<Capp>(CAPP, key, finalizers))).toBe('kubernetes-admin');
    expect(authorOf(await alice.patch<Capp>(CAPP, key, { metadata: { labels: { a: 'b' } } }))).toBe(
      'kubernetes-admin',
    );
    expect(
      authorOf(
        await alice.patch<Capp>(CAPP, key, { metadata: { annotations: { [LAST_UPDATED_BY]: 'mallory' } } }),
      ),
    ).toBe('kubernetes-admin');
    expect(authorOf(await alice.patch<Capp>(CAPP, key, { spec: { state: 'disabled' } }))).toBe('alice');
  });

  it('records who wrote each request annotation, and users cannot set that record', async () => {
    await create('requested');
    const alice = await stage.as('alice');
    const annotated = async (annotations: object) =>
      (await alice.patch<Capp>(CAPP, { namespace: NS, name: 'requested' }, { metadata: { annotations } }))
        .metadata.annotations ?? {};
    expect(await annotated({ [PAUSED]: 'true' })).toMatchObject({ [requestedBy(PAUSED)]: 'alice' });
    expect(await annotated({ [requestedBy(PAUSED)]: 'mallory' })).toMatchObject({
      [requestedBy(PAUSED)]: 'alice',
    });
    expect(await annotated({ [MIGRATE]: '#1', [requestedBy(MIGRATE)]: 'mallory' })).toMatchObject({
      [requestedBy(MIGRATE)]: 'alice',
    });
    expect(await annotated({ [PAUSED]: null, [MIGRATE]: null })).toEqual({
      [LAST_UPDATED_BY]: 'kubernetes-admin',
    });
    await kube.remove(CAPP, { namespace: NS, name: 'requested' });
    expect(await annotated({ [ABANDON]: 'site-1' })).toMatchObject({ [requestedBy(ABANDON)]: 'alice' });
  });

  it('loses a default that conflicts with a new limit', async () => {
    await create('tightened');
    const { name, image } = { name: 'app', image: 'ghcr.io/me/app:v1' };
    const resources = { ...DEFAULTS, limits: { cpu: '200m', memory: '10Mi' } };
    const patch = {
      spec: { configurationSpec: { template: { spec: { containers: [{ name, image, resources }] } } } },
    };
    const next = await kube.patch<Capp>(CAPP, { namespace: NS, name: 'tightened' }, patch);
    const [container] = next.spec.configurationSpec.template.spec.containers;
    expect(container).toHaveProperty('resources', { requests: { cpu: '100m' }, limits: resources.limits });
  });

  it('again without the defaults is not changed', async () => {
    const alice = await stage.as('alice');
    const object = wish('twice');
    const first = await kube.apply(CAPP, object, { fieldManager: 'kubectl' });
    const list = {
      spec: {
        configurationSpec: {
          template: { spec: { containers: [{ name: 'app', image: 'ghcr.io/me/app:v1' }] } },
        },
      },
    };
    const second = await alice.patch<Capp>(CAPP, { namespace: NS, name: 'twice' }, list);
    expect(second.metadata.resourceVersion).toBe(first.metadata.resourceVersion);
    expect(authorOf(second)).toBe('kubernetes-admin');
  });
});
