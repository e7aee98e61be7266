// A site without OCM's ClusterClaim, as one without a hub: it claims nothing, and opens what is sealed to its
// key all the same.
import { CAPP_SECRET_DEFINITION } from '../../../crds/definitions/of-sites.ts';
import { SECRET, type Secret } from '../../../crds/kubernetes/core.ts';
import { publicBytesOf, privateKeyOf } from '../../../crds/sealing/hpke.ts';
import { CAPP_SECRET, sealedFor } from '../../../crds/sealing/capp-secret.ts';
import { SITE_KEYS, siteKeyOf } from '../../../crds/sealing/site-key.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { serve } from '../../support/servers/api/definitions.ts';
import { at, PLACE, siteTestbed } from '../../support/testbeds/site/site.ts';
import { holding } from '../../support/testbeds/site/sealed-site.ts';

const testbed = siteTestbed();
beforeAll(() => serve(testbed.kube, CAPP_SECRET_DEFINITION, CAPP_SECRET), 300_000);

test('a site without ClusterClaims makes a key and goes on, and a hub that hears of none seals nothing to it', async () => {
  const data = await eventually(async () => {
    const keys = await testbed.kube.get<Secret>(SECRET, { namespace: PLACE, name: SITE_KEYS });
    return keys?.data;
  });
  const id = Buffer.from(data['current'] ?? '', 'base64').toString();
  const key = publicBytesOf(privateKeyOf(Buffer.from(data[id] ?? '', 'base64')));
  const { apiVersion, kind } = CAPP_SECRET;
  const spec = sealedFor(key, at('unclaimed'), holding('v'), Buffer.alloc(32, 1));
  await testbed.kube.create(CAPP_SECRET, { apiVersion, kind, metadata: at('unclaimed'), spec } as never);
  const opened = await eventually(() =>
    testbed.kube.get<Secret>(SECRET, at('unclaimed')).then((one) => one ?? undefined),
  );
  expect(opened.data).toEqual({ password: btoa('v') });
  expect(siteKeyOf({ status: { clusterClaims: [] } })).toBeNull();
});
