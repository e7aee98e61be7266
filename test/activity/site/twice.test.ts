// What a site with Knative's own CRDs cannot read by a server-side apply ends at once, with the field: the
// hub refuses it when it is written, and an older hub may have taken it.
import { KNATIVE_SERVICE, type KnativeService } from '../../../crds/kubernetes/knative.ts';
import { installKnative } from '../../../deploy/local/kubernetes/knative.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { serviceOf } from '../../support/corpus/as-service.ts';
import { MAKEABLE } from '../../support/corpus/pods/unmakeable.ts';
import { TWICE } from '../../support/corpus/pods/twice.ts';
import type { Example } from '../../support/corpus/pods/examples.ts';
import { at, NS, siteTestbed } from '../../support/testbeds/site/site.ts';

const testbed = siteTestbed();
beforeAll(async () => {
  await installKnative(testbed.kube, { domain: 'example.com' });
  await eventually(() => testbed.kube.list(KNATIVE_SERVICE));
}, 300_000);

/** As the site operator writes it. */
function written(template: Example['template'], name: string): Promise<KnativeService> {
  const { metadata, ...rest } = serviceOf({ template });
  const service = { ...rest, metadata: { ...metadata, ...at(name) } };
  return testbed.kube.apply<KnativeService>(KNATIVE_SERVICE, service, { fieldManager: 'test', force: true });
}

test.each(TWICE)('%s: an API server with Knative’s schema names the field', async (...row) => {
  const [, template, , , said] = row;
  await expect(written(template, 'tried')).rejects.toMatchObject({
    code: 500,
    fields: expect.arrayContaining([`spec.template.${said}`]),
  });
});

test.each(MAKEABLE)('%s: it can be applied', async (_title, template) => {
  expect((await written(template, 'taken')).metadata.namespace).toBe(NS);
});

test('a Capp that an older hub has let through says at once which field its site cannot read', async () => {
  const env = [
    { name: 'A', value: 'c4n4ry' },
    { name: 'A', value: 'c4n4ry' },
  ];
  const template = { spec: { containers: [{ name: 'app', image: 'i:1', env }] } };
  await testbed.make('twice', { configurationSpec: { template } });
  const { status } = await testbed.says('twice', 'Ready', 'Refused');
  const ready = status?.conditions?.find(({ type }) => type === 'Ready');
  expect(ready).toMatchObject({
    status: 'False',
    message: expect.stringContaining('(spec.template.spec.containers[0].env: FieldValueDuplicate)'),
  });
  expect(JSON.stringify(status)).not.toContain('c4n4ry');
});
