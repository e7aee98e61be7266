// The time from a Capp to its ManifestWork, one at a time. The Capp refers to three Secrets.
//
// Usage: node bench/measures/secrets.ts [samples]
import { SECRET } from '../../crds/kubernetes/core.ts';
import { measure } from '../measure.ts';
import { oneAtATime } from '../load/one-at-a-time.ts';
import { DISABLED, numbered } from '../load/testbed.ts';

await measure('secrets', 100, async (testbed, count) => {
  const { namespace, stack } = testbed;
  const names = numbered('secret', 3);
  for (const name of names) {
    const data = { password: Buffer.from(`${name} of ${namespace}`).toString('base64') };
    await stack.hub.create(SECRET, { apiVersion: 'v1', kind: 'Secret', metadata: { namespace, name }, data });
  }
  const container = { envFrom: names.map((name) => ({ secretRef: { name } })) };
  return oneAtATime(testbed, count, { ...DISABLED, container });
});
