// A site to whose site operator Secrets come sealed, as the work of a hub brings them.
import { randomBytes } from 'node:crypto';
import { CAPP_SECRET_DEFINITION } from '../../../../crds/definitions/of-sites.ts';
import { SECRET, type Secret } from '../../../../crds/kubernetes/core.ts';
import { KNATIVE_SERVICE } from '../../../../crds/kubernetes/knative.ts';
import { MANAGED_BY, MANAGED_BY_HUB } from '../../../../crds/labels.ts';
import { CLUSTER_CLAIM, type ClusterClaim } from '../../../../crds/ocm/cluster-claim.ts';
import { CAPP_SECRET, OPENED, sealedFor, type CappSecret } from '../../../../crds/sealing/capp-secret.ts';
import type { Content } from '../../../../crds/sealing/content.ts';
import { SEALING_CLAIM, siteKeyOf } from '../../../../crds/sealing/site-key.ts';
import type { KubeObject } from '../../../../kube/resource.ts';
import { serve, serveBare } from '../../servers/api/definitions.ts';
import { eventually } from '../../../../testbed/eventually.ts';
import { at, siteTestbed } from './site.ts';

export const CLAIM = { namespace: null, name: SEALING_CLAIM };

export const holding = (value: string, rest: Partial<Content> = {}): Content => ({
  data: { password: btoa(value) },
  ...rest,
});

/** Opens the site for the tests of a file. Call it once, at the top. */
export function sealedSite() {
  const testbed = siteTestbed();
  const hubKey = randomBytes(32);

  beforeAll(async () => {
    await serveBare(testbed.kube, CLUSTER_CLAIM);
    await serveBare(testbed.kube, KNATIVE_SERVICE);
    await serve(testbed.kube, CAPP_SECRET_DEFINITION, CAPP_SECRET);
  }, 300_000);

  /** The key that the site claims; another one than `before`. */
  const claimed = (before?: Buffer): Promise<Buffer> =>
    eventually(async () => {
      const { spec } = (await testbed.kube.get<ClusterClaim & KubeObject>(CLUSTER_CLAIM, CLAIM)) ?? {};
      const value = spec?.value;
      if (value === undefined) return undefined;
      const key = siteKeyOf({ status: { clusterClaims: [{ name: SEALING_CLAIM, value }] } });
      return key === null || (before !== undefined && key.equals(before)) ? undefined : key;
    });

  /** `sealedAs`: the name for which it was sealed. */
  async function bring(
    name: string,
    content: Content,
    sealedAs = name,
    labels: object = {},
  ): Promise<CappSecret> {
    const spec = sealedFor(await claimed(), at(sealedAs), content, hubKey);
    const { apiVersion, kind } = CAPP_SECRET;
    const metadata = { ...at(name), labels: { [MANAGED_BY]: MANAGED_BY_HUB, ...labels } };
    const object = { apiVersion, kind, metadata, spec };
    return testbed.kube.apply<CappSecret>(CAPP_SECRET, object, { fieldManager: 'work', force: true });
  }

  const sealedNow = (name: string) => testbed.kube.get<CappSecret>(CAPP_SECRET, at(name));
  const secretNow = (name: string) => testbed.kube.get<Secret>(SECRET, at(name));

  /** Resolves with the message when the condition has this reason for the present generation. */
  async function says(name: string, reason: string): Promise<string> {
    return eventually(async () => {
      const { metadata, status } = (await sealedNow(name)) ?? {};
      const said = status?.conditions?.find(({ type }) => type === OPENED);
      return said?.reason === reason && said.observedGeneration === metadata?.generation
        ? said.message
        : undefined;
    });
  }

  return { testbed, hubKey, claimed, bring, sealedNow, secretNow, says };
}
